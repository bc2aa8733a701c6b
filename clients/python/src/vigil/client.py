"""The client of a Vigil service."""

from __future__ import annotations

import json
import os
import ssl
import uuid
from typing import Any, Dict, Mapping, Optional, Type, Union, cast
from urllib.parse import urlencode

from ._cache import AnswerCache, CachedAnswer
from ._call import Call, Result, query_text
from ._generated.services import Services
from ._headers import Headers
from ._seen import SeenGenerations
from ._transport import OpenResponse, Response, Transport
from ._version import __version__
from .answer import Answer, ChangingAnswer, ListAnswer, PollAnswer, generations_in
from .errors import TransportError, VigilError, api_error
from .retry import Retry, is_temporary
from .stream import SILENCE_SECONDS_MAX, Stream

_URL_DEFAULT = "http://127.0.0.1:8787"


class Client(Services):
    """
    A client of one service with one key. It has an attribute for each service group, with a method for each call:
    `client.seismology.list_earthquakes(min_magnitude=6)`. Thread-safe; connections are reused.

    :param url: address of the service; default `VIGIL_URL`, else `http://127.0.0.1:8787`
    :param key: key of an account; default `VIGIL_KEY`. Without a key, only public calls are answered
    :param timeout: seconds for one attempt of a call
    :param retry: when a failed call is repeated; `Retry(attempts=1)` never repeats a call
    :param cache_bytes: size of the cache of answers for conditional requests; 0 for no cache
    :param monotonic: if False, an answer may be older than an earlier answer for the same data, for example if one of
        several nodes is behind
    :param headers: headers to add to every request
    :param ssl_context: the TLS settings; default: those of Python
    """

    def __init__(
        self,
        url: Optional[str] = None,
        key: Optional[str] = None,
        *,
        timeout: float = 60.0,
        retry: Retry = Retry(),
        cache_bytes: int = 16_000_000,
        monotonic: bool = True,
        headers: Optional[Mapping[str, str]] = None,
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        self._retry = retry
        self._cache = AnswerCache(cache_bytes)
        self._seen = SeenGenerations() if monotonic else None
        self._transport = Transport(url or os.environ.get("VIGIL_URL") or _URL_DEFAULT, timeout, ssl_context)
        key = os.environ.get("VIGIL_KEY") if key is None else key
        self._headers: Dict[str, str] = {
            "User-Agent": f"vigil-client-python/{__version__}",
            **({"X-Service-Key": key} if key else {}),
            **(headers or {}),
        }

    def read(self, call: Call[Result], query: Mapping[str, Any]) -> Result:
        """Sends a GET. Called by the methods of the service groups."""
        text = query_text(query)
        target = call.path + (f"?{text}" if text else "")
        cached = self._cache.get(target)
        headers = {"Accept": call.accept, "Accept-Encoding": "gzip"}
        response = self._send(call, target, {**headers, **({"If-None-Match": cached.etag} if cached else {})}, None)
        from_cache = cached is not None and response.status == 304
        if cached is not None and from_cache:
            # The 304 has the headers of the current answer, but no headers about the body.
            merged = {**cached.headers, **response.headers}
            response = Response(200, Headers(merged.items()), cached.body)
        if response.status == 200:
            self._keep(target, response)
        return cast(Result, self._answer(call, query, response, from_cache))

    def write(
        self,
        call: Call[Result],
        body: Union[Mapping[str, Any], bytes],
        idempotency_key: Optional[str] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> Result:
        """Sends a POST. Called by the methods of the service groups. A body of bytes is sent as it is."""
        content = body if isinstance(body, bytes) else _encoded(call, body)
        own = {
            "Accept": call.accept,
            "Content-Type": "application/x-www-form-urlencoded" if call.is_form else "application/json",
            **({"Idempotency-Key": idempotency_key or str(uuid.uuid4())} if call.is_keyed else {}),
            **(headers or {}),
        }
        return cast(Result, self._answer(call, {}, self._send(call, call.path, own, content), False))

    def stream(self, call: Call[Result], query: Mapping[str, Any], last_event_id: Optional[str]) -> Result:
        """Prepares a stream, which connects when it is read. Called by the methods of the service groups."""
        return cast(Result, Stream[Any](call, query, last_event_id, self._open, self._retry))

    def close(self) -> None:
        """Closes the idle connections."""
        self._transport.close()

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self, target: str, headers: Mapping[str, str]) -> OpenResponse:
        return self._transport.open(target, {**self._headers, **headers}, SILENCE_SECONDS_MAX)

    def _send(self, call: Call[Any], target: str, headers: Mapping[str, str], body: Optional[bytes]) -> Response:
        """Sends a call; repeats it after temporary failures. Returns the answer or raises the last attempt's error."""
        retry = self._retry
        least = self._seen.text() if self._seen else None
        sent = {**({"X-Vigil-Min-Generation": least} if least else {}), **self._headers, **headers}
        attempt = 0
        while True:
            attempt += 1
            wait: Optional[float]
            try:
                response = self._transport.send(call.method, target, sent, body)
            except TransportError:
                wait = retry.wait(attempt) if call.is_repeatable else None
                if wait is None:
                    raise
            else:
                if response.status < 300 or response.status == 304:
                    if self._seen:
                        self._seen.add(generations_in(response.headers))
                    return response
                data = _parsed(response)
                is_repeated = call.is_repeatable and is_temporary(response.status, data)
                wait = retry.wait(attempt, response.headers) if is_repeated else None
                if wait is None:
                    raise api_error(call.name, response.status, response.headers, data)
            retry.sleep(wait)

    def _keep(self, target: str, response: Response) -> None:
        etag = response.headers.get("ETag")
        if etag is not None and "no-store" not in response.headers.get("Cache-Control", ""):
            self._cache.put(target, CachedAnswer(etag, response.headers, response.body))

    def _answer(self, call: Call[Any], query: Mapping[str, Any], response: Response, from_cache: bool) -> Any:
        data = _parsed(response)
        common = (call, response.status, response.headers, data, from_cache)
        is_plain = query.get("jmespath") is None and query.get("format") in (None, "json")
        if call.rows is None or not is_plain:
            return Answer[Any](*common)
        return _kind_of(call)(*common, query, self.read)


def _kind_of(call: Call[Any]) -> Type[ListAnswer[Any, Any]]:
    if call.is_poll:
        return PollAnswer
    return ChangingAnswer if call.is_changing else ListAnswer


def _encoded(call: Call[Any], body: Mapping[str, Any]) -> bytes:
    return (urlencode(body) if call.is_form else json.dumps(body, separators=(",", ":"), ensure_ascii=False)).encode()


def _parsed(response: Response) -> Any:
    """Returns the parsed body if it is JSON, otherwise the body as text."""
    kind = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    is_json = kind == "application/json" or (kind.endswith("+json") and kind.startswith("application/"))
    if not is_json or not response.body:
        return response.body.decode("utf-8", "replace")
    try:
        return json.loads(response.body)
    except ValueError as error:
        raise VigilError("an answer has a JSON content type, but its body is not JSON") from error
