"""Asks for one resource by new connections, one after the other, in three ways at once: through CONNECT, in
absolute-form and at a gateway. Each request has to be answered, and none is tried again.

Arguments: the local CA's certificate, the proxy, the gateway, the API's host. For each line of its input it waits until
every way has brought two more answers, and says "more", or what was lost; at the end of its input, how many there were.
"""

import sys
import threading
import time

from harness.raw import RawClient, request

ca, proxy, gateway, host = sys.argv[1:]


def through_connect():
    with RawClient(proxy, f"{host}:443", ca=ca) as client:
        return client.exchange(request("GET", "/x", host))


def in_absolute_form():
    with RawClient(proxy) as client:
        return client.exchange(request("GET", f"http://{host}/x", host))


def at_the_gateway():
    with RawClient(gateway) as client:
        return client.exchange(request("GET", "/x", gateway))


WAYS = [through_connect, in_absolute_form, at_the_gateway] * 2
done, lost, over = [0] * len(WAYS), [], threading.Event()


def ask(number):
    while not over.is_set():
        try:
            answer = WAYS[number]()
            if answer.status != 200:
                lost.append(f"{WAYS[number].__name__}: {answer.status} {answer.body!r}")
        except Exception as error:  # whatever it is, there was no answer
            lost.append(f"{WAYS[number].__name__}: {error!r}")
        done[number] += 1


threads = [threading.Thread(target=ask, args=[number]) for number in range(len(WAYS))]
for thread in threads:
    thread.start()
for _ in sys.stdin:
    before = list(done)
    while not lost and any(new < old + 2 for new, old in zip(done, before)):
        time.sleep(0.001)
    print(f"lost {len(lost)}: {lost[:3]}" if lost else "more", flush=True)
over.set()
for thread in threads:
    thread.join()
print(f"{sum(done)} requests, {len(lost)} lost", flush=True)
