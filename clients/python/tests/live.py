"""
Calls a running service through the client, for test/python-client.test.ts and test/python-deltas.test.ts. `main` takes
the address, the key and a JSON object. The members `service` and `call` name the call. A read has its parameters in
`query`, and a write has its body in `body`. `main` prints the answer as JSON. With `lastEventId`, it prints the next
event of a stream instead. `held` has the rows of a list that the caller already has, with their identities. With
`held`, `main` prints the next step that `deltas` yields for the list, and the rows after that step.
"""

from __future__ import annotations

import itertools
import json
import keyword
import sys
from pathlib import Path
from typing import Any, Dict, List

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

import vigil  # noqa: E402


def main(arguments: List[str]) -> int:
    url, key, text = arguments
    question = json.loads(text)
    with vigil.Client(url, key, retry=vigil.Retry(attempts=1)) as client:
        method = getattr(getattr(client, name(question["service"])), name(question["call"]))
        try:
            print(json.dumps(outcome(method, question)))
        except vigil.ApiError as error:
            print(json.dumps({"status": error.status, "error": type(error).__name__, "data": error.body}))
    return 0


def outcome(method: Any, question: Dict[str, Any]) -> Dict[str, Any]:
    if "body" in question:
        keys = {"idempotency_key": question["key"]} if question.get("key") else {}
        return shown(method(question["body"], **keys))
    arguments = {name(each): value for each, value in question.get("query", {}).items()}
    if "lastEventId" in question:
        with method(**arguments, last_event_id=question["lastEventId"]) as stream:
            return {"events": [[each.type, each.id, each.data] for each in itertools.islice(stream, 1)]}
    answer = method(**arguments)
    if "held" in question:
        return step(next(answer.deltas(question.get("since"))), question["held"])
    if question.get("rows"):
        return {**shown(answer), "data": list(answer.rows())}
    return shown(answer)


def step(taken: vigil.ListStep[Any], held: List[Any]) -> Dict[str, Any]:
    rows = vigil.rows_after([vigil.IdentifiedRow(*each) for each in held], taken)
    about = {name: getattr(taken, name, None) for name in ("state", "reason", "generation", "row_count")}
    return {"type": type(taken).__name__, **about, "held": [[each.id, each.row] for each in rows]}


def shown(answer: vigil.Answer[Any]) -> Dict[str, Any]:
    return {
        "status": answer.status,
        "state": answer.state,
        "generation": answer.generation,
        "etag": answer.etag,
        "simulated": answer.simulated,
        "data": answer.data,
    }


def name(wire: str) -> str:
    """Returns the Python name of a service, a call or a parameter."""
    own = wire.replace("-", "_")
    return f"{own}_" if keyword.iskeyword(own) else own
