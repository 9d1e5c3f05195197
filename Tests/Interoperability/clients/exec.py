"""Knows nothing of a proxy or a CA: each library as it comes. Arguments: which library, then addresses to get."""

import asyncio
import sys
import urllib.request

library, *addresses = sys.argv[1:]


def by_urllib(address):
    return urllib.request.urlopen(address).status


def by_requests(address):
    import requests

    return requests.get(address).status_code


def by_httpx(address):
    import httpx

    return httpx.get(address).status_code


def by_aiohttp(address):
    import aiohttp

    async def get():
        async with aiohttp.ClientSession(trust_env=True) as session, session.get(address) as response:
            return response.status

    return asyncio.run(get())


for address in addresses:
    print(globals()[f"by_{library}"](address))
