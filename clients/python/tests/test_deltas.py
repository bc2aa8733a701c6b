"""Tests of following the changes of a list."""

from __future__ import annotations

import itertools
import unittest
from typing import Any, Dict, List, Optional, Sequence, Tuple

import vigil
from vigil import errors

from .scripted import Reply, data, scripted

Placed = Tuple[int, str]


def quake(name: str) -> Dict[str, Any]:
    return {"id": name, "magnitude": 5.0, "occurredAt": 0, "source": "usgs"}


def plain(generation: int, state: str = "ok") -> Reply:
    body = {"earthquakes": [], "pagination": {"nextCursor": "", "totalCount": 0}}
    return data(body, state, **{"X-Vigil-Generation": f"earthquakes={generation}"})


def changed(
    to: int,
    added: Sequence[Placed] = (),
    changes: Sequence[Placed] = (),
    removed: Sequence[str] = (),
    count: int = 0,
    cursor: str = "",
) -> Reply:
    placed = [("added", each) for each in added] + [("changed", each) for each in changes]
    body = {
        "earthquakes": [quake(name) for _, (_, name) in placed],
        "pagination": {"nextCursor": cursor, "totalCount": count},
        "delta": {
            "to": f"earthquakes={to}",
            "rowCount": count,
            "changes": [
                *({"kind": kind, "id": name, "index": index} for kind, (index, name) in placed),
                *({"kind": "removed", "id": name} for name in removed),
            ],
        },
    }
    return data(body, **{"X-Vigil-Generation": f"earthquakes={to}"})


def refused(description: str) -> Reply:
    return Reply(400, {"violations": [{"field": "sinceGeneration", "description": description}]})


GONE = Reply(410, {"error": "no longer kept", "code": "SNAPSHOT_REQUIRED"})
START = [plain(1), changed(1, added=[(0, "a"), (1, "b")], count=2)]


class Deltas(unittest.TestCase):
    def follow(self, replies: List[Reply], count: int, since: Optional[str] = None) -> List[Any]:
        self.waits: List[float] = []
        with scripted(list(replies)) as (url, service), vigil.Client(url) as client:
            answer = client.seismology.list_earthquakes(min_magnitude=5)
            steps = list(itertools.islice(answer.deltas(since, 7, sleep=self.waits.append), count))
        targets = [request.target.partition("?")[2] for request in service.requests]
        self.assertTrue(all("min_magnitude=5" in target for target in targets))
        self.since = [
            each.partition("=")[2] for target in targets for each in target.split("&") if each.startswith("since_generation")
        ]
        return steps

    def test_following_begins_with_the_whole_list_and_continues_with_its_changes(self) -> None:
        later = changed(3, added=[(0, "c")], changes=[(1, "b")], removed=["a"], count=2)
        reset, changes = self.follow([*START, later], 2)
        rows = [vigil.IdentifiedRow(each, quake(each)) for each in ("a", "b")]
        self.assertEqual(reset, vigil.ListReset("start", rows, "earthquakes=1", "ok"))
        self.assertEqual(
            changes.changes,
            [
                vigil.ListChange("added", "c", quake("c"), 0),
                vigil.ListChange("changed", "b", quake("b"), 1),
                vigil.ListChange("removed", "a"),
            ],
        )
        self.assertEqual((changes.row_count, changes.generation, changes.state), (2, "earthquakes=3", "ok"))
        self.assertEqual([each.id for each in vigil.rows_after(reset.rows, changes)], ["c", "b"])
        self.assertEqual(self.since, ["earthquakes%3D0", "earthquakes%3D1"])
        self.assertEqual(self.waits, [7])

    def test_following_continues_from_a_generation(self) -> None:
        replies = [plain(5), changed(5, removed=["a"])]
        self.assertEqual([each.id for each in self.follow(replies, 1, "earthquakes=4")[0].changes], ["a"])
        self.assertEqual(self.since, ["earthquakes%3D4"])

    def test_an_answer_to_a_call_with_since_generation_is_the_first_step(self) -> None:
        with scripted([changed(5, removed=["a"])]) as (url, service), vigil.Client(url) as client:
            answer = client.seismology.list_earthquakes(since_generation="earthquakes=4")
            self.assertEqual([each.id for each in answer.changes()], ["a"])
            self.assertEqual(next(answer.deltas()).generation, "earthquakes=5")  # type: ignore[union-attr]
        self.assertEqual(len(service.requests), 1)

    def test_the_changes_of_all_pages_are_one_step(self) -> None:
        pages = [changed(2, added=[(0, "c")], count=2, cursor="next"), changed(2, removed=["a"], count=2)]
        self.assertEqual([each.id for each in self.follow([plain(2), *pages], 1, "earthquakes=1")[0].changes], ["c", "a"])

    def test_nothing_is_yielded_while_nothing_changes(self) -> None:
        same = changed(1, count=2)
        steps = self.follow([*START, same, same, changed(2, count=2)], 2)
        self.assertEqual((steps[1].changes, steps[1].generation), ([], "earthquakes=2"))
        self.assertEqual(self.waits, [7, 7, 7])

    def test_an_outage_is_reported_once_and_keeps_the_rows(self) -> None:
        out = plain(0, "absent")
        steps = self.follow([*START, out, out, changed(2, removed=["a"], count=1)], 3)
        self.assertEqual([type(step) for step in steps], [vigil.ListReset, vigil.ListOutage, vigil.ListChanges])
        self.assertEqual(vigil.rows_after(steps[0].rows, steps[1]), steps[0].rows)
        self.assertEqual(self.since[1:], ["earthquakes%3D1"] * 3)

    def test_an_unavailable_generation_starts_over_with_the_whole_list(self) -> None:
        unknown = refused("must not be newer than generation 2 of earthquakes, got 9")
        for reason, refusal in (("gone", GONE), ("unknown", unknown)):
            (step,) = self.follow([plain(2), refusal, *START], 1, "earthquakes=9")
            self.assertEqual((step.reason, step.generation), (reason, "earthquakes=1"))

    def test_any_other_refusal_is_raised_and_ends_the_following(self) -> None:
        with self.assertRaises(errors.BadRequestError):
            self.follow([plain(2), refused("must be the X-Vigil-Generation of an earlier answer")], 1, "x")

    def test_the_error_for_an_answer_without_changes_names_the_missing_parameter(self) -> None:
        with scripted([plain(1)]) as (url, _), vigil.Client(url) as client:
            with self.assertRaisesRegex(vigil.VigilError, "since_generation"):
                client.seismology.list_earthquakes().changes()


class RowsAfter(unittest.TestCase):
    def test_rows_after_puts_added_and_changed_rows_at_their_index_and_drops_removed_rows(self) -> None:
        rows = [vigil.IdentifiedRow(each, each) for each in "abcd"]
        changes = [
            vigil.ListChange("added", "z", "z", 4),
            vigil.ListChange("changed", "c", "C", 0),
            vigil.ListChange("removed", "a"),
            vigil.ListChange("added", "y", "y", 2),
        ]
        step = vigil.ListChanges(changes, 5, "earthquakes=2", "ok")
        self.assertEqual([each.row for each in vigil.rows_after(rows, step)], ["C", "b", "y", "d", "z"])
