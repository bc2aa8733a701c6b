"""A service on this machine for tests. It sends the answers that the test gives it as a script."""

from __future__ import annotations

import json
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Union


class Request(NamedTuple):
    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes


class Reply(NamedTuple):
    """An answer. With `status` 0, the connection breaks without an answer."""

    status: int = 200
    body: Any = None
    headers: Mapping[str, str] = {}


Script = Union[List[Reply], Callable[[Request], Reply]]


class Service:
    """
    Answers requests according to the script. If the script is a list, each request gets the next reply in the list.
    Otherwise, the script is a function that returns the reply to a request. Records requests, and counts connections.
    """

    def __init__(self, script: Script) -> None:
        self.requests: List[Request] = []
        self.connections = 0
        self._script = script
        self._lock = Lock()

    def reply(self, request: Request) -> Reply:
        with self._lock:
            self.requests.append(request)
            return self._script.pop(0) if isinstance(self._script, list) else self._script(request)


@contextmanager
def scripted(script: Script) -> Iterator["tuple[str, Service]"]:
    """Runs a scripted service. Yields its address and the service, which has the recorded requests."""
    service = Service(script)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def setup(self) -> None:
            service.connections += 1
            super().setup()

        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            reply = service.reply(Request(self.command, self.path, dict(self.headers), body))
            if reply.status == 0:
                self.close_connection = True
                return
            content = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
            headers: Dict[str, str] = {"Content-Type": "application/json", **reply.headers}
            is_stream = headers["Content-Type"] == "text/event-stream"
            self.send_response(reply.status)
            for name, value in headers.items():
                self.send_header(name, value)
            if is_stream:
                self.send_header("Connection", "close")
            else:
                self.send_header("Content-Length", str(0 if reply.status == 304 else len(content)))
            self.end_headers()
            if reply.status != 304:
                self.wfile.write(content)

        do_POST = do_GET

        def log_message(self, *_: object) -> None:
            """Suppresses the server's log."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", service
    finally:
        server.shutdown()
        server.server_close()


def data(body: Any, state: str = "ok", etag: Optional[str] = None, **headers: str) -> Reply:
    """Returns an answer from snapshots."""
    own = {"X-Vigil-State": state, "X-Vigil-Generation": "earthquakes=2", **({"ETag": etag} if etag else {})}
    return Reply(200, body, {**own, **headers})


def earthquakes(ids: List[str], next_cursor: str = "") -> Dict[str, Any]:
    """Returns a page of the list of earthquakes."""
    return {
        "earthquakes": [{"id": each, "magnitude": 5.0, "occurredAt": 0, "source": "usgs"} for each in ids],
        "pagination": {"nextCursor": next_cursor, "totalCount": 3},
    }
