"""A headless Chromium, driven by the DevTools protocol over a pipe."""

import base64
import itertools
import json
import os
import queue
import shutil
import subprocess
import threading
import time

from .waiting import LIMIT

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")


def program():
    """The browser of this machine, if it has one."""
    return next((found for name in PROGRAMS if (found := shutil.which(name))), None)


class Browser:
    def __init__(self, folder):
        commands, self.commands = os.pipe()
        self.replies, replies = os.pipe()
        options = ["--headless=new", "--remote-debugging-pipe", "--disable-gpu", "--no-first-run", "--mute-audio",
                   "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update",
                   "--no-default-browser-check", "--force-device-scale-factor=1", "--hide-scrollbars",
                   f"--user-data-dir={folder}",
                   # Neither root nor most containers can have one; nothing is loaded but the page under test.
                   "--no-sandbox"]
        # It reads its commands from descriptor 3, and writes to 4.
        script = f'exec "$@" 3<&{commands} 4>&{replies}'
        environment = {n: v for n, v in os.environ.items() if "proxy" not in n.lower()}
        self.process = subprocess.Popen(
            ["bash", "-c", script, "bash", program(), *options, "about:blank"], pass_fds=(commands, replies),
            env={**environment, "HOME": str(folder)}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(commands)
        os.close(replies)
        self.numbers, self.waiting, self.pages, self.lock = itertools.count(1), {}, {}, threading.Lock()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        rest = b""
        while data := os.read(self.replies, 1 << 16):
            *messages, rest = (rest + data).split(b"\0")
            for message in map(json.loads, messages):
                if "id" in message:
                    self.waiting[message["id"]].put(message)
                elif page := self.pages.get(message.get("sessionId")):
                    page.take(message["method"], message["params"])
        for waiting in list(self.waiting.values()):
            waiting.put({"error": "the browser has ended"})

    def call(self, method, session=None, **parameters):
        number = next(self.numbers)
        self.waiting[number] = answers = queue.Queue()
        message = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        with self.lock:
            os.write(self.commands, json.dumps(message).encode() + b"\0")
        answer = answers.get(timeout=LIMIT)
        del self.waiting[number]
        assert "error" not in answer, f"{method}: {answer['error']}"
        return answer["result"]

    def page(self, width=1280, height=800):
        return Page(self, width, height)

    def end(self):
        self.process.kill()
        self.process.wait()
        os.close(self.commands)


class Page:
    """One tab, and all that it has complained of."""

    def __init__(self, browser, width, height):
        self.browser, self.complaints, self.requests = browser, [], []
        # Of its own, so that no two pages share what they keep.
        context = browser.call("Target.createBrowserContext")["browserContextId"]
        self.target = browser.call("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        browser.pages[self.session] = self
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.size(width, height)

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def take(self, method, parameters):
        if method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
            self.complaints.append(json.dumps(parameters["args"]))
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            entry = parameters["entry"]
            self.complaints.append(f"{entry['source']}: {entry['text']} {entry.get('url', '')}")
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])

    def size(self, width, height, scheme="light"):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=width < 500)
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": "reduce"}])

    def open(self, url):
        self.call("Page.navigate", url=url)
        self.wait("document.readyState === 'complete'")

    def value(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def wait(self, expression):
        """Waits until an expression is true."""
        deadline = time.monotonic() + LIMIT
        while not self.value(f"!!({expression})"):
            assert time.monotonic() < deadline, f"waited {LIMIT} s for {expression}; {self.complaints}"
            time.sleep(0.02)

    def press(self, key):
        text = "\r" if key == "Enter" else key if len(key) == 1 else None
        # The browser itself, and not the page alone, acts on this key.
        code = {"windowsVirtualKeyCode": 27} if key == "Escape" else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **code, **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def text(self, selector="body"):
        return self.value(f"document.querySelector({json.dumps(selector)}).innerText")

    def screenshot(self, path):
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)
