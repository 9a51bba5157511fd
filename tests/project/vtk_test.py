#!/usr/bin/env python3
"""What `collapse export -o OUT.pvd` writes, read by other means: the XML and its numbers by Python's own library
and, where Debian's python3-vtk9 is installed, by VTK. Compared with the tables of `collapse export -o OUT.csv`.

    vtk_test.py TOOL
"""
import base64
import csv
import math
import os
import struct
import subprocess
import sys
import tempfile
from xml.etree import ElementTree

TOOL = os.path.abspath(sys.argv[1])
FORMATS = {"Float64": "d", "Int32": "i", "UInt8": "B"}
VERTEX, LINE, POLYGON = 1, 3, 7


def tool(*arguments):
    subprocess.run([TOOL, *arguments], check=True, stdout=subprocess.DEVNULL)


def array(element):
    """The numbers of a DataArray, in rows where it has components."""
    data = base64.b64decode(element.text, validate=True)
    (length,) = struct.unpack_from("<Q", data)
    assert length == len(data) - 8, (length, len(data))
    letter = FORMATS[element.get("type")]
    numbers = struct.unpack_from(f"<{length // struct.calcsize(letter)}{letter}", data, 8)
    size = int(element.get("NumberOfComponents", "1"))
    return numbers if size == 1 else [numbers[i:i + size] for i in range(0, len(numbers), size)]


class Grid:
    def __init__(self, file):
        root = ElementTree.parse(file).getroot()
        assert root.get("type") == "UnstructuredGrid" and root.get("header_type") == "UInt64"
        piece = root.find("UnstructuredGrid/Piece")
        self.points = array(piece.find("Points/DataArray"))
        cells = {a.get("Name"): array(a) for a in piece.findall("Cells/DataArray")}
        self.types = cells["types"]
        starts = [0, *cells["offsets"][:-1]]
        self.cells = [cells["connectivity"][a:b] for a, b in zip(starts, cells["offsets"])]
        self.on_points = {a.get("Name"): array(a) for a in piece.findall("PointData/DataArray")}
        self.on_cells = {a.get("Name"): array(a) for a in piece.findall("CellData/DataArray")}
        assert int(piece.get("NumberOfPoints")) == len(self.points)
        assert int(piece.get("NumberOfCells")) == len(self.types) == len(self.cells)
        for values in self.on_points.values():
            assert len(values) == len(self.points)
        for values in self.on_cells.values():
            assert len(values) == len(self.types)

    def centroid(self, cell):
        """Of a polygon, with its area."""
        corners = [self.points[i] for i in self.cells[cell]]
        area = x = y = 0.0
        for (x0, y0, z), (x1, y1, _) in zip(corners, corners[1:] + corners[:1]):
            assert z == 0.0
            cross = x0 * y1 - x1 * y0
            area += 0.5 * cross
            x += (x0 + x1) * cross / 6.0
            y += (y0 + y1) * cross / 6.0
        return x / area, y / area, area


def collection(file):
    """{time: {part's name: Grid}}"""
    root = ElementTree.parse(file).getroot()
    assert root.get("type") == "Collection"
    steps = {}
    for dataset in root.findall("Collection/DataSet"):
        grids = steps.setdefault(float(dataset.get("timestep")), {})
        grids[dataset.get("name")] = os.path.join(os.path.dirname(file), dataset.get("file"))
    return steps


def rows(file):
    with open(file, newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def near(a, b, tolerance=1e-9):
    return math.isclose(a, b, rel_tol=tolerance, abs_tol=tolerance)


def check_bodies(steps, motion):
    """Polygons have their centroids and velocities where the table has the bodies."""
    bodies = sorted({r["body"] for r in motion}, key=[r["body"] for r in motion].index)
    checked = 0
    for row in motion:
        grid = Grid(steps[float(row["time"])]["bodies"])
        number = bodies.index(row["body"]) + 1  # the ground comes first and is not in the table
        cell = grid.on_cells["body"].index(number)
        x, y, area = grid.centroid(cell)
        assert area > 0 and near(x, float(row["x"]), 1e-9) and near(y, float(row["y"]), 1e-9), row
        velocity = grid.on_cells["body velocity"][cell]
        assert velocity == (float(row["vx"]), float(row["vy"]), 0.0)
        assert grid.on_cells["spin"][cell] == float(row["spin"])
        corner = grid.cells[cell][0]
        px, py, _ = grid.points[corner]
        vx, vy, _ = grid.on_points["velocity"][corner]
        spin = float(row["spin"])
        assert near(vx, velocity[0] - spin * (py - y)) and near(vy, velocity[1] + spin * (px - x))
        checked += 1
    return checked


def check_contacts(steps, forces):
    for time, files in steps.items():
        grid = Grid(files["contacts"])
        wanted = [r for r in forces if float(r["time"]) == time]
        assert len(grid.points) == len(wanted), time
        for i, row in enumerate(wanted):
            assert grid.points[i] == (float(row["x"]), float(row["y"]), 0.0)
            assert grid.on_points["force"][i] == (float(row["fx"]), float(row["fy"]), 0.0)
            assert grid.on_points["normal"][i] == (float(row["nx"]), float(row["ny"]), 0.0)
            assert grid.on_points["a"][i] < grid.on_points["b"][i]
    return sum(len(Grid(files["contacts"]).points) for files in steps.values())


def check_with_vtk(steps):
    """The same numbers by VTK's own reader, where there is one."""
    try:
        import vtk  # pylint: disable=import-outside-toplevel
    except ImportError:
        return False
    for files in list(steps.values())[::7]:
        for file in files.values():
            reader = vtk.vtkXMLUnstructuredGridReader()
            reader.SetFileName(file)
            reader.Update()
            theirs, ours = reader.GetOutput(), Grid(file)
            assert theirs.GetNumberOfCells() == len(ours.cells)
            for i, point in enumerate(ours.points):
                assert theirs.GetPoint(i) == point
            for name, values in ours.on_points.items():
                column = theirs.GetPointData().GetArray(name)
                for i, value in enumerate(values):
                    assert column.GetTuple(i) == (value if isinstance(value, tuple) else (value,))
            for i, kind in enumerate(ours.types):
                assert theirs.GetCellType(i) == kind
    return True


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        tool("gallery", "diamond", "-o", "scene.json")
        tool("run", "scene.json", "-o", "a.clps", "--until", "1")
        tool("export", "a.clps", "-o", "a.csv", "--contacts", "forces.csv")
        tool("export", "a.clps", "-o", "a & b.pvd")
        steps = collection("a & b.pvd")
        assert len(steps) == 61 and sorted(steps) == list(steps)
        assert check_bodies(steps, rows("a.csv")) == 61 * 25
        assert check_contacts(steps, rows("forces.csv")) > 1000
        with_vtk = check_with_vtk(steps)
        # Again, thinner: the old files go.
        tool("export", "a.clps", "-o", "a & b.pvd", "--frame-rate", "10", "--no-forces")
        assert len(collection("a & b.pvd")) == 11
        assert sorted(os.listdir("a & b_vtu")) == [f"bodies_{i:06}.vtu" for i in range(11)]
        # Frameworks, holes and disks.
        tool("gallery", "links", "-o", "links.json")
        tool("export", "links.json", "-o", "links.pvd")
        grid = Grid(collection("links.pvd")[0.0]["bodies"])
        assert [grid.types.count(t) for t in (VERTEX, LINE, POLYGON)] == [19, 30, 7]
        with open("hole.json", "w", encoding="utf-8") as stream:
            stream.write('{"collapse": 1, "dimension": 2, "bodies": [{"disk": 2}, {"position": [9, 0], "parts": ['
                         '{"box": [3, 1], "position": [0, 1]}, {"box": [3, 1], "position": [0, -1]},'
                         '{"box": [1, 1], "position": [-1, 0]}, {"box": [1, 1], "position": [1, 0]}]}]}')
        tool("export", "hole.json", "-o", "hole.pvd")
        grid = Grid(collection("hole.pvd")[0.0]["bodies"])
        areas = [0.0, 0.0]
        for cell, body in enumerate(grid.on_cells["body"]):
            areas[body] += grid.centroid(cell)[2]
        assert near(areas[1], 8.0) and near(areas[0], 4.0 * math.pi, 3e-3), areas
        os.chdir("/")
    print("vtk_test: the grids are the tables'" + (", for VTK too" if with_vtk else "; VTK is not installed"))


main()
