#!/usr/bin/env python3
"""Checks saved proofs of Vigil offline. Needs Python 3.9 and the package `cryptography`.

  verify_vigil.py head KEYS.json HEAD.json
  verify_vigil.py inclusion KEYS.json HEAD.json PROOF.json [DATASET GENERATION [CONTENT_HASH [PROVENANCE_HASH]]]
  verify_vigil.py consistency KEYS.json OLDER_HEAD.json NEWER_HEAD.json PROOF.json

KEYS.json is /.well-known/vigil-keys.json, HEAD.json an answer of get-signed-head, and PROOF.json an answer of
get-inclusion-proof (called with the size of the head) or get-consistency-proof (called with the sizes of both heads).
Prints one line. Exit code 0: the proof holds; 1: it does not; 2: the command or a file is unusable.
"""

import base64
import hashlib
import json
import sys

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


class Rejected(Exception):
    """The reason why a proof does not hold."""


def require(condition, reason):
    if not condition:
        raise Rejected(reason)


def node(left, right):
    return hashlib.sha256(b"\x01" + left + right).digest()


def hash_of(text):
    value = bytes.fromhex(text)
    require(len(value) == 32, "a hash does not have 32 bytes")
    return value


def unpadded(text):
    value = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    require(base64.urlsafe_b64encode(value).decode().rstrip("=") == text, "a value is not canonical base64url")
    return value


def check_head(keys, head):
    """Checks the signature of a head (Ed25519), which must be by a key that was valid at the time of the head."""
    key = next((key for key in keys["keys"] if key["kid"] == head["keyId"]), None)
    require(key is not None, f"the key {head['keyId']} is not published")
    require(key["validFrom"] <= head["timestamp"] <= key["validUntil"], "the key was not valid at the time of the head")
    lines = ["vigil-tree-head-v1", head["size"], head["rootHash"], head["timestamp"], head["keyId"]]
    text = "".join(f"{line}\n" for line in lines)
    try:
        Ed25519PublicKey.from_public_bytes(unpadded(key["x"])).verify(unpadded(head["signature"]), text.encode())
    except InvalidSignature:
        raise Rejected("the signature of the head is wrong") from None
    return f"head of {head['size']} generations, root {head['rootHash']}"


def check_inclusion(keys, head, proof, dataset=None, generation=None, content_hash=None, provenance_hash=None):
    """Checks the path from a leaf to the root of a head (RFC 9162, section 2.1.3.2)."""
    check_head(keys, head)
    size, index = proof["size"], proof["leafIndex"]
    require(size == head["size"], f"the proof is for {size} generations, the head for {head['size']}")
    require(0 <= index < size, "the leaf is outside the tree")
    result = hashlib.sha256(b"\x00" + proof["leaf"].encode()).digest()
    at, last = index, size - 1
    for step in map(hash_of, proof["hashes"]):
        require(last > 0, "the proof is too long")
        if at % 2 == 1 or at == last:
            result = node(step, result)
            while at % 2 == 0 and at > 0:
                at, last = at // 2, last // 2
        else:
            result = node(result, step)
        at, last = at // 2, last // 2
    require(last == 0, "the proof is too short")
    require(result == hash_of(head["rootHash"]), "the proof does not lead to the root of the head")
    leaf = json.loads(proof["leaf"])
    if dataset is not None:
        require(leaf["dataset"] == dataset, f"the leaf is of the dataset {leaf['dataset']}")
        require(str(leaf["generation"]) == generation, f"the leaf is of generation {leaf['generation']}")
    require(content_hash in (None, leaf["contentHash"]), f"the leaf has the content {leaf['contentHash']}")
    require(provenance_hash in (None, leaf["provenanceHash"]), f"the leaf has the provenance {leaf['provenanceHash']}")
    return f"{leaf['dataset']} {leaf['generation']} has the content {leaf['contentHash']}"


def check_consistency(keys, older, newer, proof):
    """Checks that an older head is the beginning of a newer one (RFC 9162, section 2.1.4.2)."""
    check_head(keys, older)
    check_head(keys, newer)
    first, second = older["size"], newer["size"]
    roots = hash_of(older["rootHash"]), hash_of(newer["rootHash"])
    require(0 < first <= second, "the older head is empty or larger than the newer one")
    require((proof["first"], proof["second"]) == (first, second), "the sizes in the proof are not those of the heads")
    steps = [hash_of(text) for text in proof["hashes"]]
    if first == second:
        require(not steps and roots[0] == roots[1], "two heads of the same size have different roots")
        return f"both heads have {first} generations"
    if first & (first - 1) == 0:
        steps.insert(0, roots[0])
    require(steps, "the proof is too short")
    old_root = new_root = steps[0]
    at, last = first - 1, second - 1
    while at % 2 == 1:
        at, last = at // 2, last // 2
    for step in steps[1:]:
        require(last > 0, "the proof is too long")
        if at % 2 == 1 or at == last:
            old_root, new_root = node(step, old_root), node(step, new_root)
            while at % 2 == 0 and at > 0:
                at, last = at // 2, last // 2
        else:
            new_root = node(new_root, step)
        at, last = at // 2, last // 2
    require(last == 0, "the proof is too short")
    require((old_root, new_root) == roots, "the newer head does not extend the older one")
    return f"the head of {second} generations extends the head of {first}"


CHECKS = {"head": (check_head, 2, 0), "inclusion": (check_inclusion, 3, 4), "consistency": (check_consistency, 4, 0)}


def main(arguments):
    name, *rest = arguments or [""]
    check, files, texts = CHECKS.get(name, (None, 0, 0))
    if check is None or not files <= len(rest) <= files + texts or len(rest) == files + 1:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        documents = []
        for path in rest[:files]:
            with open(path, encoding="utf-8") as file:
                documents.append(json.load(file))
    except (OSError, ValueError) as error:
        print(f"unusable file: {error}", file=sys.stderr)
        return 2
    try:
        print(f"OK: {check(*documents, *rest[files:])}")
        return 0
    except Rejected as reason:
        print(f"REJECTED: {reason}")
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        print(f"REJECTED: an answer is damaged ({type(error).__name__}: {error})")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
