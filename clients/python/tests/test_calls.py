"""Tests of how a call is sent, repeated and answered."""

from __future__ import annotations

import gzip
import json
import unittest
from datetime import datetime, timezone
from threading import Thread
from typing import List
from urllib.parse import parse_qs, urlsplit

import vigil
from vigil import errors

from .scripted import Reply, Request, data, earthquakes, scripted

WATCH = {"name": "n", "call": "/api/x", "on": "WATCH_ON_CHANGED"}
BUSY = Reply(503, {"message": "later", "error": "later"}, {"Retry-After": "7"})


class Waits:
    """A retry that records its waits instead of waiting."""

    def __init__(self, attempts: int = 4, wait_max: float = 60.0) -> None:
        self.seconds: List[float] = []
        self.retry = vigil.Retry(attempts, wait_max, sleep=self.seconds.append, random=lambda: 0.5)


class Calls(unittest.TestCase):
    def test_sends_parameters_and_key_and_reads_the_headers(self) -> None:
        modified = {"Last-Modified": "Wed, 18 Nov 2026 12:00:00 GMT", "X-Vigil-Data": "simulated", "X-Vigil-Notice": "n"}
        with scripted([data(earthquakes(["a"]), "partial", '"e1"', **modified)]) as (url, service):
            start = datetime(2026, 11, 18, 12, tzinfo=timezone.utc)
            with vigil.Client(url, "k") as client:
                answer = client.seismology.list_earthquakes(start=start, min_magnitude=4.5, explain=True)
        (request,) = service.requests
        target = urlsplit(request.target)
        self.assertEqual(target.path, "/api/seismology/v1/list-earthquakes")
        self.assertEqual(
            parse_qs(target.query), {"start": ["1795003200000"], "min_magnitude": ["4.5"], "explain": ["true"]}
        )
        self.assertEqual(request.headers["X-Service-Key"], "k")
        self.assertEqual((answer.state, answer.generation, answer.generations), ("partial", "earthquakes=2", {"earthquakes": 2}))
        self.assertEqual((answer.last_modified, answer.etag, answer.notice), (start, '"e1"', "n"))
        self.assertTrue(answer.simulated and answer.has_data and not answer.from_cache)
        self.assertEqual(answer.headers["x-vigil-STATE"], "partial")
        self.assertEqual(answer.data["earthquakes"][0]["id"], "a")

    def test_asks_for_answers_at_least_as_new_as_the_newest_that_it_has_seen(self) -> None:
        def answer(generation: str) -> Reply:
            return Reply(200, {"months": []}, {"X-Vigil-State": "ok", "X-Vigil-Generation": generation})

        script = [answer("us-cpi=3"), answer("us-cpi=2, ice=7"), BUSY, answer("us-cpi=4"), answer("us-cpi=4")]
        waits = Waits()
        with scripted(script) as (url, service), vigil.Client(url, retry=waits.retry) as client:
            for _ in range(4):
                client.economic.get_us_cpi_monthly()
        least = [request.headers.get("X-Vigil-Min-Generation") for request in service.requests]
        both = "us-cpi=3, ice=7"
        self.assertEqual(least, [None, "us-cpi=3", both, both, "ice=7, us-cpi=4"])
        self.assertEqual(len(waits.seconds), 1)

    def test_accepts_older_answers_if_the_options_allow_it(self) -> None:
        seen = {"X-Vigil-State": "ok", "X-Vigil-Generation": "us-cpi=3"}
        script = [Reply(200, {"months": []}, seen), Reply(200, {"months": []}, seen)]
        with scripted(script) as (url, service), vigil.Client(url, monotonic=False) as client:
            for _ in range(2):
                client.economic.get_us_cpi_monthly()
        self.assertNotIn("X-Vigil-Min-Generation", service.requests[1].headers)

    def test_sends_a_list_as_repeated_parameters_and_removes_the_underscore_of_a_keyword(self) -> None:
        with scripted([Reply(200, {}), Reply(200, {})]) as (url, service), vigil.Client(url) as client:
            client.datasets.list_dataset_changes(dataset=["a", "b"])
            client.platform.dataset_history(name="us-cpi", from_="2026-01-01T00:00:00Z")
        self.assertTrue(service.requests[0].target.endswith("?dataset=a&dataset=b"))
        self.assertTrue(service.requests[1].target.endswith("?name=us-cpi&from=2026-01-01T00%3A00%3A00Z"))
        self.assertNotIn("X-Service-Key", service.requests[0].headers)

    def test_refuses_a_time_without_a_zone_and_an_unknown_parameter(self) -> None:
        client = vigil.Client("http://127.0.0.1:1")
        with self.assertRaisesRegex(ValueError, "as_of must have a time zone"):
            client.climate.get_co2_monitoring(as_of=datetime(2026, 1, 1))
        with self.assertRaises(TypeError):
            client.climate.get_co2_monitoring(asof="x")  # type: ignore
        with self.assertRaisesRegex(vigil.VigilError, "must be like https"):
            vigil.Client("vigil.example")

    def test_reads_text_and_compressed_bodies(self) -> None:
        body = gzip.compress(json.dumps(earthquakes(["a"])).encode())
        replies = [Reply(200, b"id\r\na\r\n", {"Content-Type": "text/csv"}), data(body, **{"Content-Encoding": "gzip"})]
        with scripted(replies) as (url, _), vigil.Client(url) as client:
            self.assertEqual(client.seismology.list_earthquakes(format="csv").data, "id\r\na\r\n")
            self.assertEqual(client.seismology.list_earthquakes().data["earthquakes"][0]["id"], "a")

    def test_reuses_connections_and_replaces_a_closed_one(self) -> None:
        replies = [data({}), data({}), data({}, **{"Connection": "close"}), data({})]
        with scripted(replies) as (url, service), vigil.Client(url) as client:
            for _ in range(4):
                client.climate.get_co2_monitoring()
        self.assertEqual(service.connections, 2)

    def test_can_be_used_by_several_threads_at_the_same_time(self) -> None:
        def echo(request: Request) -> Reply:
            return data({"target": request.target}, etag='"e"')

        with scripted(echo) as (url, service), vigil.Client(url) as client:
            targets: List[str] = []

            def run(symbol: str) -> None:
                for _ in range(5):
                    body = dict(client.market.get_insider_transactions(symbol=symbol).data)
                    targets.append(f"{symbol} {str(body['target']).endswith('=' + symbol)}")

            threads = [Thread(target=run, args=(f"S{number}",)) for number in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        self.assertEqual(sorted(set(targets)), [f"S{number} True" for number in range(8)])
        self.assertLessEqual(service.connections, 16)


class Retries(unittest.TestCase):
    def test_waits_as_long_as_the_service_asks_and_a_little_longer(self) -> None:
        waits = Waits()
        with scripted([BUSY, Reply(429, {}, {"Retry-After": "20"}), data({})]) as (url, _):
            vigil.Client(url, retry=waits.retry).climate.get_co2_monitoring()
        self.assertEqual(waits.seconds, [7.35, 20.5])

    def test_waits_longer_after_each_failed_attempt(self) -> None:
        waits = Waits()
        with scripted([Reply(0), Reply(502), Reply(504), data({})]) as (url, _):
            vigil.Client(url, retry=waits.retry).climate.get_co2_monitoring()
        self.assertEqual(waits.seconds, [0.375, 0.75, 1.5])

    def test_raises_the_last_error_after_the_last_attempt(self) -> None:
        waits = Waits(attempts=2)
        with scripted([BUSY, BUSY]) as (url, _):
            with self.assertRaises(errors.UnavailableError) as raised:
                vigil.Client(url, retry=waits.retry).climate.get_co2_monitoring()
        self.assertEqual((raised.exception.status, raised.exception.retry_after, len(waits.seconds)), (503, 7.0, 1))

    def test_gives_up_if_the_wait_would_exceed_the_limit(self) -> None:
        waits = Waits(wait_max=5)
        with scripted([BUSY]) as (url, _):
            with self.assertRaises(errors.UnavailableError):
                vigil.Client(url, retry=waits.retry).climate.get_co2_monitoring()
        self.assertEqual(waits.seconds, [])

    def test_repeats_a_write_with_the_same_idempotency_key(self) -> None:
        running = Reply(409, {"error": "idempotency_conflict", "message": "m"}, {"Retry-After": "2"})
        with scripted([Reply(0), BUSY, running, Reply(201, {"watch": {}})]) as (url, service):
            client = vigil.Client(url, retry=Waits().retry)
            client.watches.create_watch({"name": "n", "call": "/api/x", "on": "WATCH_ON_CHANGED"})
        keys = {request.headers["Idempotency-Key"] for request in service.requests}
        self.assertEqual((len(service.requests), len(keys)), (4, 1))
        self.assertEqual(json.loads(service.requests[0].body), WATCH)

    def test_never_repeats_a_write_without_an_idempotency_key(self) -> None:
        for reply, kind in ((BUSY, errors.UnavailableError), (Reply(0), errors.TransportError)):
            waits = Waits()
            with scripted([reply]) as (url, service):
                with self.assertRaises(kind):
                    vigil.Client(url, retry=waits.retry).account.create_key({"name": "n"})
            self.assertEqual((len(service.requests), waits.seconds), (1, []))

    def test_does_not_repeat_a_call_after_400_404_500_or_a_409_without_idempotency_conflict(self) -> None:
        for status in (400, 404, 409, 500):
            with scripted([Reply(status, {"message": "m", "error": "e"})]) as (url, service):
                with self.assertRaises(vigil.ApiError):
                    vigil.Client(url, retry=Waits().retry).watches.get_watch(watch_id="w")
            self.assertEqual(len(service.requests), 1)

    def test_distinguishes_a_timeout_from_an_unreachable_service(self) -> None:
        client = vigil.Client("http://127.0.0.1:1", retry=vigil.Retry(attempts=1))
        with self.assertRaisesRegex(errors.TransportError, "got no answer from http://127.0.0.1:1"):
            client.platform.livez()
        with scripted(lambda _: data({}, **{"Content-Length": "9"})) as (url, _):
            slow = vigil.Client(url, timeout=0.05, retry=vigil.Retry(attempts=1))
            with self.assertRaises(errors.RequestTimeout):
                slow.platform.livez()


class Failures(unittest.TestCase):
    def raised(self, reply: Reply) -> vigil.ApiError:
        with scripted([reply]) as (url, _):
            with self.assertRaises(vigil.ApiError) as raised:
                vigil.Client(url, retry=vigil.Retry(attempts=1)).watches.get_watch(watch_id="w")
        return raised.exception

    def test_every_documented_status_has_its_error(self) -> None:
        kinds = {
            400: errors.BadRequestError,
            401: errors.UnauthorizedError,
            403: errors.ForbiddenError,
            404: errors.NotFoundError,
            409: errors.ConflictError,
            410: errors.GoneError,
            422: errors.UnprocessableError,
            429: errors.RateLimitError,
            500: errors.ServerError,
            503: errors.UnavailableError,
            418: vigil.ApiError,
        }
        for status, kind in kinds.items():
            error = self.raised(Reply(status, {"message": "m", "code": "c"}, {"X-Request-Id": "r1"}))
            self.assertIs(type(error), kind)
            self.assertEqual((error.status, error.code, error.request_id), (status, "c", "r1"))
            self.assertEqual(str(error), f"get-watch answered {status}: m (request r1)")

    def test_names_each_violation_and_the_members_that_a_projection_can_use(self) -> None:
        violations = [{"field": "limit", "description": "must be 1 to 100"}]
        error = self.raised(Reply(400, {"violations": violations}))
        self.assertEqual((error.violations, error.message), (violations, "limit must be 1 to 100"))
        projection = self.raised(Reply(400, {"_jmespath_error": "invalid_expression: x", "original_keys": ["a"]}))
        self.assertIsInstance(projection, errors.ProjectionError)
        self.assertEqual(projection.original_keys, ["a"])  # type: ignore

    def test_an_error_whose_body_is_not_json_has_the_body_as_its_message(self) -> None:
        error = self.raised(Reply(500, b"<html>", {"Content-Type": "text/html"}))
        self.assertEqual((error.body, error.message), ("<html>", "<html>"))

    def test_refuses_a_body_that_does_not_match_its_content_type(self) -> None:
        with scripted([Reply(200, b"{")]) as (url, _):
            with self.assertRaisesRegex(vigil.VigilError, "not JSON"):
                vigil.Client(url).platform.livez()


class Cache(unittest.TestCase):
    def test_after_a_304_the_body_comes_from_the_cache_and_the_state_from_the_304(self) -> None:
        replies = [data(earthquakes(["a"]), etag='"e1"'), Reply(304, None, {"ETag": '"e1"', "X-Vigil-State": "partial"})]
        with scripted(replies) as (url, service), vigil.Client(url) as client:
            first = client.seismology.list_earthquakes()
            first.data["earthquakes"].clear()
            second = client.seismology.list_earthquakes()
        self.assertEqual(service.requests[1].headers["If-None-Match"], '"e1"')
        self.assertEqual([row["id"] for row in second.data["earthquakes"]], ["a"])
        self.assertEqual((second.status, second.from_cache, second.state), (200, True, "partial"))
        self.assertEqual(second.generation, "earthquakes=2")

    def test_obeys_no_store_and_drops_the_oldest_answers(self) -> None:
        replies = [
            data({}, etag='"e"', **{"Cache-Control": "no-store"}),
            data({"a": "x" * 3000}, etag='"1"'),
            data({"a": "x" * 3000}, etag='"2"'),
            data({}, etag='"3"'),
        ]
        with scripted(replies) as (url, service), vigil.Client(url, cache_bytes=8_000) as client:
            for symbol in ("A", "A", "B", "A"):
                client.market.get_insider_transactions(symbol=symbol)
        self.assertTrue(all("If-None-Match" not in request.headers for request in service.requests))

    def test_a_cache_of_size_zero_sends_no_conditional_requests(self) -> None:
        with scripted([data({}, etag='"e"')] * 2) as (url, service), vigil.Client(url, cache_bytes=0) as client:
            client.climate.get_co2_monitoring()
            client.climate.get_co2_monitoring()
        self.assertNotIn("If-None-Match", service.requests[1].headers)
