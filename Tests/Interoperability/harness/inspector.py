"""The inspector's page, as tests use it."""

import json


def live(page):
    page.wait("document.getElementById('link').dataset.state === 'live'")


def rows(page):
    return page.value("[...document.querySelectorAll('#rows tr')].filter(r => !r.hidden).map(r => r.innerText)")


def wait_for_rows(page, count):
    page.wait(f"[...document.querySelectorAll('#rows tr')].filter(r => !r.hidden).length === {count}")
    return rows(page)


def opened(page, key="k"):
    """Opens the last request of the list, or moves to another; what it is about."""
    page.press(key)
    page.press("Enter")
    page.wait("!document.getElementById('detail').hidden")
    return page.text("#detail")


def copied(page, number, *names):
    """What the page makes of a request to be copied: by the functions of copying.mjs."""
    version = {"har": ', "1.0"'}
    call = ", ".join(f"module.{name}(request{version.get(name, '')})" for name in names)
    return page.value(f"""import('/inspector/copying.mjs').then(async (module) => {{
        const request = await (await fetch('/requests/{number}')).json();
        return [{call}];
    }})""")


def requests_of(paraph):
    status, body = paraph.admin("/requests")
    assert status == 200
    return json.loads(body)["requests"]
