"""Requests that get past the first refusals, and the check that every refusal carries a documented code."""

import gzip
import hashlib
import json
from datetime import date

import requests
import schemathesis
from schemathesis.checks import CheckContext

# Answers outside an operation's own description: an unknown path or method, and what is not HTTP.
OUTSIDE = {404: "not_found", 405: "method_not_allowed", 431: "headers_too_large", 501: "not_implemented"}

# Words of the request that only few values fit; a value of the right type is replaced, so that what is valid stays valid
# and what is invalid stays invalid.
FITTING = {
    "pricingCode": ["AU_ACT", "AU_NSW", "AU_NT", "AU_QLD", "AU_SA", "AU_TAS", "AU_VIC", "AU_WA"],
    "showroomCode": ["MEL01", "SYD01"],
    "purchaseDate": ["2026-06-30", "2026-07-01"],
    "startDate": ["2025-07-01", "2026-06-30", "2026-08-10", "2099-01-01"],
    "manufactureDate": ["2019-01-31", "2024-07-01"],
    "firstRegisteredDate": ["2024-07-01", "2025-02-28"],
    "termMonths": [3, 6, 12],
    "year": [2019, 2025, 2026],
}
LONGEST = 64
DATES = ("purchaseDate", "startDate", "manufactureDate", "firstRegisteredDate")
INTEGERS = {"termMonths": (-(2**62), 2**62), "year": (0, 9999)}


def chosen(name, value):
    """A fitting value for most; one in sixteen stays as it is, for the refusals."""
    digest = hashlib.sha256(f"{name}{value!r}".encode("utf-8", "surrogatepass")).digest()
    return value if digest[0] % 16 == 0 else FITTING[name][digest[1] % len(FITTING[name])]


def is_date(text):
    try:
        return len(text) == 10 and date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def fits(name, value):
    if name in INTEGERS:
        least, most = INTEGERS[name]
        return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
    if not isinstance(value, str) or len(value) > LONGEST:
        return False
    return name not in DATES or is_date(value)


def fitted(value):
    if isinstance(value, list):
        return [fitted(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {key: chosen(key, each) if key in FITTING and fits(key, each) else fitted(each) for key, each in value.items()}


# Fields that a batch must have: an empty text is refused there.
REQUIRED_TEXTS = ("source_name", "source_id", "src")


def without_empty_texts(value):
    """An empty text in an optional field of a batch means that the field is absent, whatever its type: a schema cannot say so."""
    if isinstance(value, list):
        return [without_empty_texts(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {key: " " if each == "" and key not in REQUIRED_TEXTS else without_empty_texts(each) for key, each in value.items()}


@schemathesis.hook
def map_body(context, body):
    return without_empty_texts(body) if context.operation.path == "/batch" else fitted(body)


@schemathesis.hook
def map_query(context, query):
    return fitted(query)


@schemathesis.check
def documented_code(ctx: CheckContext, response, case) -> None:
    """Every refusal has the contract's body and one of the codes that its operation names for its status."""
    if response.status_code < 400:
        return
    document = case.operation.schema.raw_schema
    described = document["paths"][case.operation.path].get(case.method.lower(), {}).get("responses", {})
    answer = described.get(str(response.status_code), {})
    if "$ref" in answer:
        answer = document["components"]["responses"][answer["$ref"].rsplit("/", 1)[-1]]
    codes = answer.get("x-codes")
    if codes is None:
        outside = OUTSIDE.get(response.status_code)
        codes = [outside] if outside else None
    if codes is None:
        return
    code = json.loads(response.content).get("code")
    assert code in codes, f"{response.status_code} has the code {code}, which is not one of {codes}"


# Bodies that are not what their Content-Encoding says, or no UTF-8.
BROKEN = [
    ("br", b"zzzz"),
    ("gzip", b"zzzz"),
    ("deflate", b"zzzz"),
    ("zstd", b"\x28\xb5\x2f\xfdzzzz"),
    ("gzip", gzip.compress(b'{"a":1}' * 50)[:20]),
    ("gzip, br", b"{}"),
    ("rot13", b"{}"),
    ("identity", b'{"\xff":1}'),
    ("identity", b'{"a":1,"a":2}'),
]


@schemathesis.check
def broken_body_is_refused(ctx: CheckContext, response, case) -> None:
    """The same request with a body in a broken encoding is a 4xx that says what is wrong."""
    sent = response.request
    if not sent.body or case.method.upper() != "POST":
        return
    digest = hashlib.sha256(sent.body if isinstance(sent.body, bytes) else sent.body.encode()).digest()
    coding, body = BROKEN[digest[0] % len(BROKEN)]
    headers = {name: value for name, value in sent.headers.items() if name.lower() != "content-length"}
    answer = requests.post(sent.url, data=body, headers={**headers, "Content-Encoding": coding}, timeout=10)
    assert 400 <= answer.status_code < 500, f"{coding} {body[:20]!r} is answered {answer.status_code}"
    refusal = answer.json()
    assert "code" in refusal or "error" in refusal, f"{coding} {body[:20]!r}: {answer.text[:100]}"
