#!/usr/bin/env python3
"""The JSON Schema and the reader must agree on what a scene is.

usage: schema_test.py PROGRAM [ARGUMENT...]

PROGRAM ARGUMENT... FILE judges a scene: exit status 0 if it can be used, 2 if not; for example
`schema_test.py build/collapse inspect --json`.
"""

import copy
import json
import pathlib
import subprocess
import sys
import tempfile

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORPUS = ROOT / "tests" / "fuzz" / "corpus"
SCHEMA = ROOT / "docs" / "scene.schema.json"
IMPORT = ROOT / "tests" / "project" / "import"

BASE = {
    "collapse": 1,
    "dimension": 2,
    "materials": {"brick": {"friction": 0.5}},
    "bodies": [
        {"name": "ground", "plane": {"normal": [0, 1], "offset": 0}},
        {"name": "a", "box": [1, 1], "position": [0, "1/2"], "material": "brick"},
        {"name": "b", "box": [1, 1], "position": [5, "1/2"]},
    ],
}

SPACE = {
    "collapse": 1,
    "dimension": 3,
    "bodies": [
        {"name": "ground", "plane": {"normal": [0, 0, 1], "offset": 0}},
        {"name": "a", "box": [1, 1, 1], "position": [0, 0, "1/2"], "orientation": [1, 0, 0, "1/2"]},
        {"name": "b", "box": [1, 1, 1], "position": [5, 0, "1/2"], "inertia": [1, 1, "1/2"]},
        {"name": "c", "sphere": 1, "position": [10, 0, 1], "spin": [0, 0, 1]},
        {"name": "d", "cylinder": [1, 2], "position": [15, 0, 1]},
        {"name": "e", "capsule": [1, 2], "position": [20, 0, 2]},
        {"name": "f", "hull": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "position": [25, 0, 0]},
        {"name": "g", "position": [30, 0, 0],
         "mesh": {"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
                  "faces": [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]}},
        {"name": "h", "position": [35, 0, 1], "rotation_vector": [0, 0, 30],
         "parts": [{"box": [1, 1, 2]}, {"box": [1, 1, 1], "position": [1, 0, 0]}]},
    ],
    "joints": [{"type": "hinge", "bodies": ["a", "b"], "at": [2, 0, 0], "axis": [0, 1, 0]},
               {"type": "ball", "bodies": ["a", "world"], "at": [0, 0, 0]}],
    "loads": [{"name": "p", "body": "a", "force": [1, 0, 0], "torque": [0, 0, 1]}],
}
WRONG_IN_SPACE = {
    "vector of two": (["gravity"], [0, -1]),
    "box of two": (["bodies", 1, "box"], [1, 1]),
    "polygon in space": (["bodies", 1], {"polygon": [[0, 0], [1, 0], [0, 1]]}),
    "angle in space": (["bodies", 1, "angle"], 30),
    "both turns": (["bodies", 1, "rotation_vector"], [0, 0, 1]),
    "quaternion of three": (["bodies", 1, "orientation"], [1, 0, 0]),
    "spin as a number": (["bodies", 3, "spin"], 1),
    "flat cylinder": (["bodies", 4, "cylinder"], [1, 0]),
    "hull of three": (["bodies", 6, "hull"], [[0, 0, 0], [1, 0, 0], [0, 1, 0]]),
    "mesh without faces": (["bodies", 7, "mesh"], {"vertices": [[0, 0, 0]] * 4}),
    "face of two": (["bodies", 7, "mesh", "faces", 0], [0, 1]),
    "inertia of two": (["bodies", 2, "inertia"], [1, 1]),
    "pin in space": (["joints", 1, "type"], "pin"),
    "hinge without axis": (["joints", 0, "axis"], None),
    "ball with an axis": (["joints", 1, "axis"], [0, 0, 1]),
    "torque as a number": (["loads", 0, "torque"], 1),
    "framework in space": (["framework"], {"points": [{"position": [0, 0]}]}),
}
WRONG_IN_SPACE_FOR_THE_READER = {
    "flat hull": (["bodies", 6, "hull"], [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]),
    "open mesh": (["bodies", 7, "mesh", "faces", 3], [0, 1, 3]),
    "vertex that is not there": (["bodies", 7, "mesh", "faces", 3], [2, 0, 4]),
    "zero quaternion": (["bodies", 1, "orientation"], [0, 0, 0, 0]),
    "mesh file that is not there": (["bodies", 7, "mesh"], "nowhere.obj"),
    "inertia that is not positive": (["bodies", 2, "inertia"], [[1, 2, 0], [2, 1, 0], [0, 0, 1]]),
}

# A path into BASE and the value put there. `None` as the value removes the key.
WRONG_FOR_BOTH = {
    "no version": (["collapse"], None),
    "another version": (["collapse"], 2),
    "no dimension": (["dimension"], None),
    "space": (["dimension"], 3),
    "framework without points": (["framework"], {"points": []}),
    "point without position": (["framework"], {"points": [{"name": "p"}]}),
    "point without mass": (["framework"], {"points": [{"position": [0, 0], "mass": 0}]}),
    "bar of one point": (["framework"], {"points": [{"name": "p", "position": [0, 0]}], "bars": [["p"]]}),
    "bar of a point with itself": (
        ["framework"], {"points": [{"name": "p", "position": [0, 0]}], "bars": [["p", "p"]]}),
    "face of two points": (
        ["framework"],
        {"points": [{"name": "p", "position": [0, 0]}, {"name": "q", "position": [1, 0]}],
         "faces": [["p", "q"]]}),
    "unknown key": (["gravty"], [0, -1]),
    "gravity of three": (["gravity"], [0, 0, -1]),
    "gravity as a word": (["gravity"], ["down", 0]),
    "name that is no string": (["name"], 7),
    "empty bodies": (["bodies"], []),
    "no bodies": (["bodies"], None),
    "bodies as an object": (["bodies"], {}),
    "body that is a number": (["bodies", 1], 7),
    "body without shape": (["bodies", 1, "box"], None),
    "body of two shapes": (["bodies", 1, "disk"], 1),
    "body with an unknown key": (["bodies", 1, "colour"], "red"),
    "shape of space": (["bodies", 1], {"sphere": 1}),
    "empty name": (["bodies", 1, "name"], ""),
    "long name": (["bodies", 1, "name"], "n" * 201),
    "control character": (["bodies", 1, "name"], "a\nb"),
    "reserved name": (["bodies", 1, "name"], "world"),
    "fixed as a number": (["bodies", 1, "fixed"], 1),
    "flat box": (["bodies", 1, "box"], [1, 0]),
    "flat box as text": (["bodies", 1, "box"], [1, "0.0e5"]),
    "negative box": (["bodies", 1, "box"], ["-1/4", 1]),
    "box of three": (["bodies", 1, "box"], [1, 1, 1]),
    "number with a leading zero": (["bodies", 1, "box"], ["01", 1]),
    "number with a blank": (["bodies", 1, "box"], [" 1", 1]),
    "division by zero": (["bodies", 1, "box"], ["1/0", 1]),
    "fraction of decimals": (["bodies", 1, "box"], ["1.5/2", 1]),
    "polygon of two": (["bodies", 1], {"polygon": [[0, 0], [1, 0]]}),
    "vertex of one": (["bodies", 1], {"polygon": [[0, 0], [1, 0], [1]]}),
    "disk of no radius": (["bodies", 1], {"disk": 0}),
    "empty parts": (["bodies", 1], {"parts": []}),
    "nested parts": (["bodies", 1], {"parts": [{"parts": [{"disk": 1}]}]}),
    "plane in parts": (["bodies", 1], {"parts": [{"plane": {"normal": [0, 1]}}]}),
    "mass in parts": (["bodies", 1], {"parts": [{"disk": 1, "mass": 1}]}),
    "plane without normal": (["bodies", 0, "plane"], {"offset": 1}),
    "plane that moves": (["bodies", 0, "fixed"], False),
    "plane with a pose": (["bodies", 0, "position"], [0, 1]),
    "plane with mass": (["bodies", 0, "mass"], 1),
    "no mass": (["bodies", 1, "mass"], 0),
    "negative inertia": (["bodies", 1, "inertia"], "-1"),
    "rotation of one": (["bodies", 1, "rotation"], [1]),
    "angle as a list": (["bodies", 1, "angle"], [1]),
    "spin as a vector": (["bodies", 1, "spin"], [0, 0, 1]),
    "motion without keyframes": (["bodies", 1, "motion"], {}),
    "keyframe without time": (["bodies", 1, "motion"], {"keyframes": [{"position": [0, 0]}]}),
    "negative friction": (["materials", "brick", "friction"], -1),
    "negative friction as text": (["materials", "brick", "friction"], "-1/2"),
    "bouncy": (["materials", "brick", "restitution"], 1.5),
    "no density": (["materials", "brick", "density"], 0),
    "unknown property": (["materials", "brick", "colour"], 1),
    "pair of nothing": (["pairs"], [{"materials": ["brick", "default"]}]),
    "pair of one": (["pairs"], [{"materials": ["brick"], "friction": 1}]),
    "joint of an unknown type": (["joints"], [{"type": "glue", "bodies": ["a", "b"], "at": [0, 0]}]),
    "joint of space": (["joints"], [{"type": "ball", "bodies": ["a", "b"], "at": [0, 0]}]),
    "joint without point": (["joints"], [{"type": "pin", "bodies": ["a", "b"]}]),
    "joint of a body with itself": (["joints"], [{"type": "pin", "bodies": ["a", "a"], "at": [0, 0]}]),
    "pin with a length": (
        ["joints"], [{"type": "pin", "bodies": ["a", "b"], "at": [0, 0], "length": 1}]),
    "rod at one point": (["joints"], [{"type": "rod", "bodies": ["a", "b"], "at": [0, 0]}]),
    "ignored world": (["ignore"], [["a", "world"]]),
    "ignored single": (["ignore"], [["a"]]),
    "load without name": (["loads"], [{"acceleration": [1, 0]}]),
    "load of both kinds": (
        ["loads"], [{"name": "p", "acceleration": [1, 0], "body": "a", "force": [1, 0]}]),
    "load of nothing": (["loads"], [{"name": "p", "body": "a"}]),
    "unknown scheme": (["simulation"], {"scheme": "euler"}),
    "unknown impact": (["simulation"], {"impact": "hard"}),
    "no step": (["simulation"], {"step": 0}),
    "negative duration": (["simulation"], {"duration": -1}),
}

# What a schema cannot say.
WRONG_FOR_THE_READER = {
    "crossing polygon": (["bodies", 1], {"polygon": [[0, 0], [1, 1], [1, 0], [0, 1]]}),
    "polygon without area": (["bodies", 1], {"polygon": [[0, 0], [1, 1], [2, 2]]}),
    "zero normal": (["bodies", 0, "plane"], {"normal": [0, 0]}),
    "zero rotation": (["bodies", 1, "rotation"], [0, 0]),
    "overlapping disks": (
        ["bodies", 1], {"parts": [{"disk": 1}, {"disk": 1, "position": [1, 0]}]}),
    "name used twice": (["bodies", 1, "name"], "b"),
    "unknown material": (["bodies", 1, "material"], "wood"),
    "unknown body": (["ignore"], [["a", "z"]]),
    "moving fixed body": (["bodies", 1], {"box": [1, 1], "fixed": True, "velocity": [1, 0]}),
    "times that do not grow": (
        ["bodies", 1],
        {"box": [1, 1], "motion": {"keyframes": [{"time": 1, "position": [0, 0]}] * 2}}),
    "bar to an unknown point": (
        ["framework"], {"points": [{"name": "p", "position": [0, 0]}], "bars": [["p", "q"]]}),
    "bar without length": (
        ["framework"],
        {"points": [{"name": "p", "position": [0, 0]}, {"name": "q", "position": [0, 0]}],
         "bars": [["p", "q"]]}),
    "moving fixed point": (
        ["framework"], {"points": [{"position": [0, 9], "fixed": True, "velocity": [1, 0]}]}),
    "rod of another length": (
        ["joints"], [{"type": "rod", "bodies": ["a", "b"], "at": [[0, 0], [5, 0]], "length": 4}]),
    "load on a fixed body": (["loads"], [{"name": "p", "body": "ground", "force": [1, 0]}]),
    "exponent out of range": (["bodies", 1, "mass"], "1e301"),
    "area out of range": (["bodies", 1, "box"], ["1e200", "1e200"]),
    "restitution as text": (["materials", "brick", "restitution"], "3/2"),
}


def changed(path, value, base=BASE):
    scene = copy.deepcopy(base)
    target = scene
    for key in path[:-1]:
        target = target[key]
    if value is None:
        del target[path[-1]]
    else:
        target[path[-1]] = value
    return scene


class Judge:
    def __init__(self, command, folder):
        self.command = command
        self.file = pathlib.Path(folder) / "scene.json"
        self.validator = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text("utf-8")))
        self.compared = 0
        self.faults = []

    def reader_accepts(self, text):
        self.file.write_text(text, "utf-8")
        run = subprocess.run(
            self.command + [str(self.file)], capture_output=True, text=True, check=False)
        if run.returncode not in (0, 2):
            self.faults.append(f"exit status {run.returncode}: {run.stderr.strip()}")
        if run.returncode == 2 and len(run.stderr.strip().splitlines()) != 1:
            self.faults.append(f"not one line: {run.stderr.strip()}")
        return run.returncode == 0

    def compare(self, name, text, schema_accepts, reader_accepts):
        self.compared += 1
        if self.validator.is_valid(json.loads(text)) != schema_accepts:
            self.faults.append(f"{name}: the schema should {'not ' * (not schema_accepts)}accept it")
        if self.reader_accepts(text) != reader_accepts:
            self.faults.append(f"{name}: the reader should {'not ' * (not reader_accepts)}accept it")


def compare_converted(judge):
    """What `convert` makes of other people's files is a scene for both."""
    options = {".obj": ["--up", "y", "--ground"], ".json": ["--ground"]}
    for file in sorted(IMPORT.iterdir()):
        run = subprocess.run(
            [judge.command[0], "convert", str(file), "-o", "-"] + options.get(file.suffix, []),
            capture_output=True, text=True, check=False)
        if run.returncode != 0:
            judge.faults.append(f"convert {file.name}: {run.stderr.strip()}")
            continue
        judge.compare(file.name, run.stdout, True, True)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        judge = Judge(sys.argv[1:], folder)
        jsonschema.Draft202012Validator.check_schema(judge.validator.schema)
        judge.compare("the base of all changes", json.dumps(BASE), True, True)
        judge.compare("the base in space", json.dumps(SPACE), True, True)
        for name, change in WRONG_IN_SPACE.items():
            judge.compare(name, json.dumps(changed(*change, base=SPACE)), False, False)
        for name, change in WRONG_IN_SPACE_FOR_THE_READER.items():
            judge.compare(name, json.dumps(changed(*change, base=SPACE)), True, False)
        valid = sorted(CORPUS.glob("valid_*.json"))
        for file in valid:
            judge.compare(file.name, file.read_text("utf-8-sig"), True, True)
        for name, change in WRONG_FOR_BOTH.items():
            judge.compare(name, json.dumps(changed(*change)), False, False)
        for name, change in WRONG_FOR_THE_READER.items():
            judge.compare(name, json.dumps(changed(*change)), True, False)
        compare_converted(judge)
    if not valid:
        judge.faults.append(f"no valid scene in {CORPUS}")
    for fault in judge.faults:
        print(fault, file=sys.stderr)
    print(f"{judge.compared} scenes compared, {len(valid)} of them from the corpus, "
          f"{len(judge.faults)} faults")
    sys.exit(1 if judge.faults else 0)


if __name__ == "__main__":
    main()
