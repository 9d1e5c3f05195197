"""mitmproxy's part of the benchmark: every request is signed with oauthlib."""

from oauthlib.oauth1 import Client

HOST = "api.example.com"
FORM = "application/x-www-form-urlencoded"
client = Client("benchConsumerKey", "benchConsumerSecret", "benchToken", "benchTokenSecret")


def is_form(request):
    return request.headers.get("content-type", "").startswith(FORM)


def sign(request):
    url = f"https://{HOST}{request.path}"
    body, fields = (request.get_text(), {"Content-Type": FORM}) if is_form(request) else (None, {})
    _, fields, _ = client.sign(url, request.method, body, fields)
    request.headers["Authorization"] = fields["Authorization"]


def requestheaders(flow):
    if not is_form(flow.request):  # before a streamed body leaves
        sign(flow.request)


def request(flow):
    if is_form(flow.request):
        sign(flow.request)
