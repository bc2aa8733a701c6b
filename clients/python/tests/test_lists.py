"""Tests of pages, polls, streams and data frames."""

from __future__ import annotations

import itertools
import json
import sys
import unittest
from typing import Any, Dict, List
from unittest import mock

import vigil
from vigil import errors
from vigil.stream import EventParser

from .scripted import Reply, Request, data, earthquakes, scripted

try:
    import pandas
except ImportError:
    pandas = None

needs_pandas = unittest.skipIf(pandas is None, "pandas is not installed")


class Pages(unittest.TestCase):
    def pages(self) -> List[Reply]:
        return [data(earthquakes(["a", "b"], "c1")), data(earthquakes(["c"]))]

    def test_rows_continue_over_all_pages_with_the_same_parameters(self) -> None:
        with scripted(self.pages()) as (url, service), vigil.Client(url) as client:
            rows = client.seismology.list_earthquakes(page_size=2, min_magnitude=5).rows()
            self.assertEqual([row["id"] for row in rows], ["a", "b", "c"])
        self.assertTrue(service.requests[1].target.endswith("?page_size=2&cursor=c1&min_magnitude=5"))

    def test_pages_are_read_only_when_needed(self) -> None:
        with scripted(self.pages()) as (url, service), vigil.Client(url) as client:
            answer = client.seismology.list_earthquakes(page_size=2)
            self.assertEqual([row["id"] for row in itertools.islice(answer.rows(), 2)], ["a", "b"])
            self.assertEqual([row["id"] for row in answer.rows(pages=1)], ["a", "b"])
            self.assertEqual(len(service.requests), 1)
            self.assertEqual([page.state for page in answer.pages()], ["ok", "ok"])

    def test_an_outage_is_not_an_empty_list(self) -> None:
        for state in ("absent", "unreadable"):
            with scripted([data(earthquakes([]), state)]) as (url, _), vigil.Client(url) as client:
                answer = client.seismology.list_earthquakes()
                self.assertEqual(answer.data["earthquakes"], [])
                with self.assertRaisesRegex(vigil.NoDataError, f"its data is {state}"):
                    list(answer.rows())
        for state in ("ok", "partial", "stale"):
            with scripted([data(earthquakes([]), state)]) as (url, _), vigil.Client(url) as client:
                self.assertEqual(list(client.seismology.list_earthquakes().rows()), [])

    def test_rows_in_groups_have_the_name_of_their_group(self) -> None:
        digest = {"categories": {"world": {"items": [{"title": "t"}]}, "tech": {"items": []}}}
        with scripted([data(digest)]) as (url, _), vigil.Client(url) as client:
            rows: List[Any] = list(client.news.list_feed_digest().rows())
        self.assertEqual(rows, [{"group": "world", "title": "t"}])


def poll(ids: List[int], cursor: str, state: str = "DATASET_POLL_STATE_CURRENT") -> Reply:
    changes = [{"position": each, "dataset": "d"} for each in ids]
    return Reply(200, {"changes": changes, "nextCursor": cursor, "pollState": state})


class Polls(unittest.TestCase):
    def test_rows_end_after_the_newest_change(self) -> None:
        replies = [poll([1, 2], "c1"), poll([], "c2"), poll([3], "c3"), poll([], "c3")]
        with scripted(replies) as (url, service), vigil.Client(url) as client:
            rows = client.datasets.list_dataset_changes(cursor="c0", dataset=["d"]).rows()
            self.assertEqual([row["position"] for row in rows], [1, 2, 3])
        self.assertEqual(len(service.requests), 4)

    def test_an_empty_page_without_filters_is_the_last(self) -> None:
        with scripted([poll([1], "c1"), poll([], "c2")]) as (url, _), vigil.Client(url) as client:
            pages = list(client.datasets.list_dataset_changes(cursor="c0").pages())
        self.assertEqual([page.next_cursor for page in pages], ["c1"])

    def test_following_waits_after_the_newest_change(self) -> None:
        replies = [poll([1], "c1"), poll([], "c1"), poll([2], "c2"), poll([3], "c3")]
        waits: List[float] = []
        with scripted(replies) as (url, _), vigil.Client(url) as client:
            rows = client.datasets.list_dataset_changes(cursor="c0").follow(5, sleep=waits.append)
            self.assertEqual([row["position"] for row in itertools.islice(rows, 3)], [1, 2, 3])
        self.assertEqual(waits, [5])

    def test_missing_changes_are_an_error(self) -> None:
        replies = [poll([], "", "DATASET_POLL_STATE_SNAPSHOT_REQUIRED")]
        with scripted(replies) as (url, _), vigil.Client(url) as client:
            answer = client.datasets.list_dataset_changes(cursor="c0")
            self.assertTrue(answer.snapshot_required)
            with self.assertRaises(vigil.SnapshotRequired):
                list(answer.rows())


def event(number: int, kind: str = "dataset.changed") -> bytes:
    return f'id: {number}\nevent: {kind}\ndata: {{"position":{number},\ndata: "dataset":"d"}}\n\n'.encode()


def stream(*events: bytes) -> Reply:
    return Reply(200, b"retry: 2000\n\n: heartbeat\n\n" + b"".join(events), {"Content-Type": "text/event-stream"})


class Streams(unittest.TestCase):
    def client(self, url: str, waits: List[float]) -> vigil.Client:
        return vigil.Client(url, retry=vigil.Retry(sleep=waits.append, random=lambda: 0.0))

    def test_a_lost_connection_continues_after_the_last_event(self) -> None:
        busy = Reply(503, {}, {"Retry-After": "9"})
        half = event(3)[:-2]
        replies = [stream(event(0, "ready"), event(1)), busy, Reply(0), stream(event(2), half), stream(event(3))]
        waits: List[float] = []
        with scripted(replies) as (url, service):
            changes = self.client(url, waits).datasets.stream_dataset_changes(dataset=["d"], cursor="c0")
            with changes:
                seen = [(each.id, each.type, each.data["position"]) for each in itertools.islice(changes, 3)]
        self.assertEqual(seen, [(str(each), "dataset.changed", each) for each in (1, 2, 3)])
        self.assertEqual([request.headers.get("Last-Event-ID") for request in service.requests], [None, "1", "1", "1", "2"])
        self.assertEqual([("cursor" in request.target) for request in service.requests], [True] + [False] * 4)
        self.assertEqual(waits, [2.0, 9.0, 8.0, 2.0])

    def test_a_change_of_scope_while_the_connection_was_lost_is_an_event(self) -> None:
        ready = b'id: 4\nevent: ready\ndata: {"position":4,"pollState":"%s","nextCursor":"c4"}\n\n'
        resumed = [stream(ready % b"SNAPSHOT_REQUIRED"), stream(ready % b"CURRENT", event(5))]
        replies = [stream(event(3)), *resumed, Reply(410, {"error": "the script has ended"})]
        with scripted(replies) as (url, service):
            with self.client(url, []).company_monitoring.stream_company_event_changes() as changes:
                kept = [(each.id, each.type, changes.last_event_id) for each in itertools.islice(changes, 3)]
        self.assertEqual(
            kept,
            [("3", "dataset.changed", None), ("4", "snapshot_required", "3"), ("5", "dataset.changed", "4")],
        )
        self.assertEqual([request.headers.get("Last-Event-ID") for request in service.requests], [None, "3", "4"])

    def test_a_refusal_ends_the_stream(self) -> None:
        for status, kind in ((400, errors.BadRequestError), (410, errors.GoneError)):
            with scripted([Reply(status, {"error": "e"})]) as (url, _):
                with self.assertRaises(kind):
                    next(iter(self.client(url, []).watches.stream_watch_firings(last_event_id="7")))

    def test_an_unreachable_service_and_an_answer_that_is_not_a_stream_are_errors(self) -> None:
        with self.assertRaises(errors.TransportError):
            next(iter(self.client("http://127.0.0.1:1", []).datasets.stream_dataset_changes()))
        with scripted([Reply(200, {})]) as (url, _):
            with self.assertRaisesRegex(vigil.VigilError, "is not a stream"):
                next(iter(self.client(url, []).datasets.stream_dataset_changes()))

    def test_closing_ends_the_events(self) -> None:
        with scripted([stream(event(1), event(2))]) as (url, _):
            changes = self.client(url, []).datasets.stream_dataset_changes()
            for _ in changes:
                changes.close()
        self.assertEqual(changes.last_event_id, "1")

    def test_the_event_at_which_a_loop_was_left_does_not_count_as_handled(self) -> None:
        with scripted([stream(event(1), event(2), event(3))]) as (url, _):
            with self.client(url, []).datasets.stream_dataset_changes() as changes:
                for each in changes:
                    if each.id == "2":
                        break
        self.assertEqual((changes.last_event_id, each.id), ("1", "2"))

    def test_events_are_read_wherever_the_stream_is_cut(self) -> None:
        content = b": c\r\n\r\n" + event(1) + "id: 2\r\ndata: \"ü\"\r\n\r\n".encode()
        for size in range(1, 9):
            parser = EventParser()
            pieces = [content[at : at + size] for at in range(0, len(content), size)]
            seen = [(each.id, each.type, each.data) for piece in pieces for each in parser.push(piece)]
            self.assertEqual(seen, [("1", "dataset.changed", {"position": 1, "dataset": "d"}), ("2", "message", "ü")])


class Frames(unittest.TestCase):
    def frame_of(self, body: Any, state: str = "ok") -> Any:
        with scripted([data(body, state)]) as (url, _), vigil.Client(url) as client:
            return client.seismology.list_earthquakes().df()

    @needs_pandas
    def test_a_frame_has_dotted_columns_and_utc_times(self) -> None:
        rows: List[Dict[str, Any]] = [
            {"id": "a", "location": {"latitude": 1.5, "longitude": 2.5}, "occurredAt": 1795017726538},
            {"id": "b", "occurredAt": 0},
            {"id": "c"},
        ]
        table = self.frame_of({"earthquakes": rows, "pagination": {"nextCursor": ""}})
        self.assertEqual(list(table.columns), ["id", "location.latitude", "location.longitude", "occurredAt"])
        self.assertEqual(str(table["occurredAt"].dt.tz), "UTC")
        texts = [None if pandas.isna(each) else each.isoformat() for each in table["occurredAt"]]
        self.assertEqual(texts, ["2026-11-18T16:02:06.538000+00:00", "1970-01-01T00:00:00+00:00", None])

    @needs_pandas
    def test_zero_means_no_time_where_the_contract_says_so(self) -> None:
        body = {"anomalies": [{"uuid": "u", "startedAt": 1795017726538, "endedAt": 0}], "totalCount": 1}
        with scripted([data(body)]) as (url, _), vigil.Client(url) as client:
            call = client.infrastructure.list_internet_traffic_anomalies()
            zero = {name.rpartition(".")[2] for name in call._call.absent_at_zero}
            self.assertTrue(zero)
            body["anomalies"] = [{name: 0 for name in zero}]
            self.assertTrue(call.df("anomalies")[sorted(zero & set(call.df("anomalies").columns))].isna().all().all())

    @needs_pandas
    def test_an_outage_is_not_an_empty_frame(self) -> None:
        self.assertEqual(len(self.frame_of(earthquakes([]))), 0)
        with self.assertRaises(vigil.NoDataError):
            self.frame_of(earthquakes([]), "absent")

    @needs_pandas
    def test_reads_all_pages_or_some_pages_or_a_projection(self) -> None:
        replies = [data(earthquakes(["a", "b"], "c1")), data(earthquakes(["c"])), data([{"x": {"y": 1}}, {"x": {"y": 2}}])]
        with scripted(replies) as (url, _), vigil.Client(url) as client:
            answer = client.seismology.list_earthquakes(page_size=2)
            self.assertEqual((len(answer.df(pages=1)), len(answer.df())), (2, 3))
            projected = client.seismology.list_earthquakes(jmespath="x").df()
        self.assertEqual(list(projected["x.y"]), [1, 2])

    @needs_pandas
    def test_accepts_times_as_strings_with_and_without_fractions(self) -> None:
        times = ["2026-11-23T13:30:02.114Z", "2026-11-23T13:30:02Z"]
        body = {"changes": [{"changedAt": each} for each in times], "nextCursor": "c", "pollState": "x"}
        with scripted([Reply(200, body), Reply(200, {**body, "changes": []})]) as (url, _), vigil.Client(url) as client:
            table = client.datasets.list_dataset_changes().df()
        self.assertEqual([each.microsecond for each in table["changedAt"]], [114000, 0])

    def test_the_error_names_the_missing_package(self) -> None:
        with mock.patch.dict(sys.modules, {"pandas": None}):
            with self.assertRaisesRegex(ImportError, "pip install pandas"):
                self.frame_of(earthquakes(["a"]))

    def test_refuses_data_without_rows(self) -> None:
        with scripted([data("text")]) as (url, _), vigil.Client(url) as client:
            with self.assertRaisesRegex(TypeError, "needs rows, got str"):
                client.seismology.list_earthquakes(jmespath="x").df()
