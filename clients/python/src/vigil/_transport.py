"""Sends requests over connections that are reused."""

from __future__ import annotations

import http.client
import select
import socket
import ssl
import time
import zlib
from dataclasses import dataclass
from threading import Lock
from typing import List, Mapping, Optional
from urllib.parse import urlsplit

from ._headers import Headers
from .errors import RequestTimeout, TransportError, VigilError

_CHUNK_BYTES = 65_536
#: The maximum size of a body after decompression.
_BODY_BYTES_MAX = 256_000_000


@dataclass(frozen=True)
class Response:
    """An answer with its complete body."""

    status: int
    headers: Headers
    body: bytes


class Transport:
    """Connections to one service. Thread-safe, because each request has a connection to itself."""

    def __init__(self, url: str, timeout: float, ssl_context: Optional[ssl.SSLContext], idle_max: int = 8) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise VigilError(f"the address of the service must be like https://vigil.example, got {url!r}")
        self._is_tls = parts.scheme == "https"
        self._host = parts.hostname
        self._port = parts.port
        self._prefix = parts.path.rstrip("/")
        self._timeout = timeout
        self._ssl_context = ssl_context or (ssl.create_default_context() if self._is_tls else None)
        self._idle_max = idle_max
        self._idle: List[http.client.HTTPConnection] = []
        self._lock = Lock()
        self.origin = f"{parts.scheme}://{parts.netloc}"

    def send(self, method: str, target: str, headers: Mapping[str, str], body: Optional[bytes]) -> Response:
        """Returns the answer to a request. Raises `TransportError` if there is no answer."""
        deadline = time.monotonic() + self._timeout
        connection = self._take()
        try:
            connection.request(method, self._prefix + target, body=body, headers=dict(headers))
            answer = connection.getresponse()
            content = self._read(connection, answer, deadline)
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise self._failure(method, target, error) from error
        except BaseException:
            connection.close()
            raise
        if answer.will_close:
            connection.close()
        else:
            self._give_back(connection)
        response_headers = Headers(answer.getheaders())
        return Response(answer.status, response_headers, _decoded(content, response_headers))

    def open(self, target: str, headers: Mapping[str, str], silence: float) -> "OpenResponse":
        """Opens a stream, whose body has no end. `silence` is the longest time without a byte, in seconds."""
        connection = self._connect(silence)
        try:
            connection.request("GET", self._prefix + target, headers=dict(headers))
            # Saved first, because `getresponse` removes the socket from a connection that closes after its answer.
            sock = connection.sock
            return OpenResponse(connection, connection.getresponse(), sock)
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise self._failure("GET", target, error) from error

    def close(self) -> None:
        """Closes the idle connections."""
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def __del__(self) -> None:
        # `_idle` does not exist if the constructor refused the address.
        if hasattr(self, "_idle"):
            self.close()

    def _take(self) -> http.client.HTTPConnection:
        while True:
            with self._lock:
                connection = self._idle.pop() if self._idle else None
            if connection is None:
                return self._connect(self._timeout)
            if _is_usable(connection):
                connection.sock.settimeout(self._timeout)
                return connection
            connection.close()

    def _connect(self, timeout: float) -> http.client.HTTPConnection:
        if self._is_tls:
            return http.client.HTTPSConnection(self._host, self._port, timeout=timeout, context=self._ssl_context)
        return http.client.HTTPConnection(self._host, self._port, timeout=timeout)

    def _give_back(self, connection: http.client.HTTPConnection) -> None:
        with self._lock:
            if len(self._idle) < self._idle_max:
                self._idle.append(connection)
                return
        connection.close()

    def _read(self, connection: http.client.HTTPConnection, answer: http.client.HTTPResponse, deadline: float) -> bytes:
        chunks: List[bytes] = []
        bytes_read = 0
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                raise socket.timeout()
            if connection.sock is not None:
                connection.sock.settimeout(left)
            chunk = answer.read1(_CHUNK_BYTES)
            if not chunk:
                # Checked here, because `read1` mistakes a broken connection for the end of the body.
                if answer.length:
                    raise http.client.IncompleteRead(b"", answer.length)
                # Frees the connection for the next request.
                answer.close()
                return b"".join(chunks)
            bytes_read += len(chunk)
            if bytes_read > _BODY_BYTES_MAX:
                raise VigilError(f"an answer is longer than {_BODY_BYTES_MAX} bytes")
            chunks.append(chunk)

    def _failure(self, method: str, target: str, error: Exception) -> TransportError:
        path = target.partition("?")[0]
        if isinstance(error, socket.timeout):
            return RequestTimeout(f"{method} {path} got no answer from {self.origin} in {self._timeout:g} s")
        return TransportError(f"{method} {path} got no answer from {self.origin}: {error or type(error).__name__}")


class OpenResponse:
    """An answer whose body is read as it arrives."""

    def __init__(
        self, connection: http.client.HTTPConnection, answer: http.client.HTTPResponse, sock: socket.socket
    ) -> None:
        self._connection = connection
        self._answer = answer
        self._socket = sock
        self.status = answer.status
        self.headers = Headers(answer.getheaders())

    def read_some(self) -> bytes:
        """Returns the next bytes; `b""` at the end. Raises `TransportError` if the connection breaks or is silent."""
        try:
            return self._answer.read1(_CHUNK_BYTES)
        except (OSError, http.client.HTTPException, ValueError, AttributeError) as error:
            raise TransportError(f"the stream broke: {error or type(error).__name__}") from error

    def read_all(self) -> bytes:
        """Returns the rest of the body, at most 64 KB of it. Used for errors, whose bodies are short."""
        return self._answer.read(_CHUNK_BYTES)

    def close(self) -> None:
        """Ends the stream. May be called from another thread."""
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            # The socket is already closed.
            pass
        self._connection.close()


def _is_usable(connection: http.client.HTTPConnection) -> bool:
    """False if the service has closed the connection. An idle connection becomes readable only when it is closed."""
    sock = connection.sock
    if sock is None:
        return False
    if hasattr(select, "poll"):
        poll = select.poll()
        poll.register(sock, select.POLLIN)
        return not poll.poll(0)
    return not select.select([sock], [], [], 0)[0]


def _decoded(content: bytes, headers: Headers) -> bytes:
    if headers.get("Content-Encoding", "identity").lower() != "gzip":
        return content
    inflater = zlib.decompressobj(wbits=31)
    inflated = inflater.decompress(content, _BODY_BYTES_MAX)
    if inflater.unconsumed_tail:
        raise VigilError(f"an answer is longer than {_BODY_BYTES_MAX} bytes")
    return inflated
