#!/usr/bin/env python3
"""Checks the signature of a saved answer of Vigil offline (RFC 9421). Needs Python 3.9 and the package `cryptography`.

  verify_answer.py KEYS.json ANSWER.http [URL]

KEYS.json is /.well-known/vigil-keys.json. ANSWER.http is the answer to a request with `signature=1`, with its status
line and headers, as `curl -si` prints it. If URL is given, the answer to any other request is rejected.
Prints one line. Exit code 0: the answer is proven; 1: it is not, or a file is damaged; 2: the command is wrong, or a
file cannot be read.
"""

import base64
import hashlib
import json
import re
import sys
from datetime import datetime, timezone

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

# Headers that describe the data. If an answer has one of them, its signature must cover it.
SIGNED = "x-vigil-.*|content-digest|content-type|content-encoding|etag|last-modified|memento-datetime"

# Structured fields (RFC 9651), in the canonical form in which they are signed.
NAME = r"[a-z*][a-z0-9_.*-]*"
STRING = r'"(?:[ !#-\[\]-~]|\\["\\])*"'
BYTES = r":[A-Za-z0-9+/]*={0,2}:"
PARAMETER = rf";{NAME}(?:=(?:{STRING}|{BYTES}|-?[0-9.]+|\?[01]|[A-Za-z*][!#$%&'*+.^_`|~\w:/-]*))?"
ITEM = rf"{STRING}(?:{PARAMETER})*"
LIST = rf"\((?:{ITEM}(?: {ITEM})*)?\)(?:{PARAMETER})*"


class Rejected(Exception):
    """The reason why an answer is not proven."""


def require(condition, reason):
    if not condition:
        raise Rejected(reason)


def read_answer(data):
    """Returns status, headers by lower-case name, and content of a saved answer. Skips interim answers (1xx)."""
    while True:
        lines, headers = [], {}
        while not lines or lines[-1]:
            line, end, data = data.partition(b"\n")
            if not end:
                raise ValueError("its header block has no end")
            lines.append((line[:-1] if line.endswith(b"\r") else line).decode("latin-1"))
        status = re.fullmatch(r"HTTP/[0-9](?:\.[0-9])? ([0-9]{3})(?: .*)?", lines[0])
        if not status:
            raise ValueError("no HTTP status line at its beginning; save it with curl -si")
        for line in lines[1:-1]:
            header = re.fullmatch(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+):([^\r]*)", line)
            if not header:
                raise ValueError(f"a line in its header block is not a header: {json.dumps(line[:60])}")
            name, value = header[1].lower(), header[2].strip(" \t")
            headers[name] = f"{headers[name]}, {value}" if name in headers else value
        if status[1][0] != "1":
            return status[1], headers, data


def members(headers, name, form):
    """Parses a header that is a dictionary (RFC 9651) whose members all have the same form."""
    require(name in headers, "the answer is not signed")
    texts = re.fullmatch(rf"{NAME}={form}(?:[ \t]*,[ \t]*{NAME}={form})*", headers[name], re.ASCII)
    require(texts, f"the header `{name}` is malformed")
    return dict(re.findall(rf"({NAME})=({form})", headers[name], re.ASCII))


def signature_of(keys, headers):
    """Finds the first signature by a published key. Returns its covered components, its parameters, its text in the
    header signature-input, its bytes in base64, and the key."""
    inputs, signatures, key_id = members(headers, "signature-input", LIST), members(headers, "signature", BYTES), None
    for label, text in inputs.items():
        if label not in signatures:
            continue
        listed, parameters = re.fullmatch(rf"\(((?:{ITEM}|[ ])*)\)((?:{PARAMETER})*)", text, re.ASCII).groups()
        values = dict(re.findall(rf";({NAME})=?({STRING}|[^;\"]*)", parameters))
        key_id = values.get("keyid", "").strip('"')
        key = next((key for key in keys["keys"] if key["kid"] == key_id), None)
        if key:
            return re.findall(ITEM, listed, re.ASCII), values, text, signatures[label], key
    require(key_id is not None, "no label is in both signature-input and signature")
    raise Rejected(f"the key {key_id} is not published")


def check(keys, answer, url=None):
    status, headers, content = answer
    covered, values, text, signature, key = signature_of(keys, headers)
    require(values.get("alg", '"ed25519"') == '"ed25519"', "the signature does not use ed25519")
    require(re.fullmatch(r"[0-9]{1,12}", values.get("created", "")), "the signature has no time")
    at = int(values["created"])
    require(key["validFrom"] <= at * 1000 <= key["validUntil"], "the key was not valid at the time of the signature")
    needed = ['"@status"', '"@path";req', '"@query";req', '"etag"' if status == "304" else '"content-digest"']
    for name in needed + [f'"{name}"' for name in headers if re.fullmatch(SIGNED, name)]:
        require(name in covered, f"the signature does not cover {name}")
    target = headers.get("content-location")
    require(target is not None, "the answer lacks content-location, which names the request")
    wanted = target if url is None else re.sub(r"^(?i:https?)://[^/?#]*", "", url).split("#")[0]
    wanted = wanted if wanted.startswith("/") else f"/{wanted}"
    require(target == wanted, f"the answer is to {target}, not to {wanted}")
    path, _, query = target.partition("?")
    known = {f'"{name}"': value for name, value in headers.items()}
    known.update({'"@status"': status, '"@method";req': "GET", '"@path";req': path, '"@query";req': "?" + query})
    for name in covered:
        is_usable = name in known and covered.count(name) == 1
        require(is_usable, f"the covered component {name} is missing or is covered twice")
    if "content-digest" in headers:
        digest = f"sha-256=:{base64.b64encode(hashlib.sha256(content).digest()).decode()}:"
        coding = headers.get("content-encoding")
        hint = f"; save the content as it was sent ({coding}), without --compressed" if coding else ""
        require(headers["content-digest"] == digest, f"the content does not match its digest{hint}")
    else:
        require(not content, "the answer has content but no digest")
    lines = [f"{name}: {known[name]}" for name in covered] + [f'"@signature-params": {text}']
    raw = base64.b64decode(signature)
    require(f":{base64.b64encode(raw).decode()}:" == signature, "the header `signature` is malformed")
    try:
        public = Ed25519PublicKey.from_public_bytes(base64.urlsafe_b64decode(key["x"] + "="))
        public.verify(raw, "\n".join(lines).encode("latin-1"))
    except InvalidSignature:
        raise Rejected("the signature is wrong") from None
    about = "".join(f", {name[1:-1]} {known[name]}" for name in covered if re.match('"(x-vigil-|memento-)', name))
    return f"{target} was answered with {status} at {datetime.fromtimestamp(at, timezone.utc):%Y-%m-%dT%H:%M:%SZ}{about}"


def main(arguments):
    if not 2 <= len(arguments) <= 3:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        with open(arguments[0], encoding="utf-8") as keys, open(arguments[1], "rb") as answer:
            keys, answer = json.load(keys), read_answer(answer.read())
    except (OSError, ValueError) as error:
        print(f"unusable file: {error}", file=sys.stderr)
        return 2
    try:
        print(f"OK: {check(keys, answer, *arguments[2:])}")
        return 0
    except Rejected as reason:
        print(f"REJECTED: {reason}")
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        print(f"REJECTED: a file is damaged ({type(error).__name__}: {error})")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
