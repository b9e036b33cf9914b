"""A small writer of PDF files: text in Courier, whose letters are .6 type sizes wide."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path

_PAD = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")
WIDTH = 0.6
LEFT = 60
# Forty letters of Courier in 10 points: the width of the text.
FULL = [
    "The verb of this language comes last and",
    "nothing whatever follows it, which every",
    "speaker will confirm when he is asked of",
]


@dataclass
class Sheet:
    """A page; text is set from the left edge (x) and the top edge (y) of a sheet of 600 x 800."""

    content: list[str] = field(default_factory=list)
    rotate: int = 0
    size: tuple[float, float] = (600, 800)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float = 10,
        bold: bool = False,
        invisible: bool = False,
        matrix: str = "1 0 0 1",
    ) -> Sheet:
        escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        font = "F2" if bold else "F1"
        mode = 3 if invisible else 0
        place = f"{matrix} {x} {self.size[1] - y} Tm"
        self.content.append(f"BT /{font} {size} Tf {mode} Tr {place} ({escaped}) Tj ET")
        return self

    def lines(self, x: float, y: float, *lines: str, size: float = 10, step: float = 12) -> Sheet:
        for row, line in enumerate(lines):
            self.text(x, y + row * step, line, size)
        return self


def write_pdf(path: Path, *sheets: Sheet, user: str | None = None, title: str = "") -> Path:
    """Write sheets to a file; ``user`` is the password with which it is encrypted ("" for none)."""
    kids = " ".join(f"{5 + 2 * row} 0 R" for row in range(len(sheets)))
    objects: list[tuple[str, bytes | None]] = [
        ("<< /Type /Catalog /Pages 2 0 R >>", None),
        (f"<< /Type /Pages /Kids [{kids}] /Count {len(sheets)} >>", None),
        (_font("Courier"), None),
        (_font("Courier-Bold"), None),
    ]
    for row, sheet in enumerate(sheets):
        objects.append((_page(sheet, 6 + 2 * row), None))
        objects.append(("", "\n".join(sheet.content).encode("cp1252")))
    key, trailer = b"", ""
    if user is not None:
        key, entry = _encryption(user)
        objects.append((entry, None))
        trailer = f"/Encrypt {len(objects)} 0 R /ID [<{'00' * 16}> <{'00' * 16}>]"
    if title:
        objects.append((f"<< /Title ({title}) >>", None))
        trailer += f" /Info {len(objects)} 0 R"
    path.write_bytes(_file(objects, key, trailer))
    return path


def _font(name: str) -> str:
    return f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>"


def _page(sheet: Sheet, content: int) -> str:
    return (
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {sheet.size[0]} {sheet.size[1]}] "
        f"/Rotate {sheet.rotate} /Contents {content} 0 R "
        "/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>"
    )


def _file(objects: list[tuple[str, bytes | None]], key: bytes, trailer: str) -> bytes:
    out = bytearray(b"%PDF-1.4\n")
    places = []
    for number, (text, stream) in enumerate(objects, start=1):
        places.append(len(out))
        out += f"{number} 0 obj\n".encode()
        if stream is None:
            out += text.encode("cp1252")
        else:
            data = _rc4(_object_key(key, number), stream) if key else stream
            out += f"<< /Length {len(data)} >>\nstream\n".encode() + data + b"\nendstream"
        out += b"\nendobj\n"
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{place:010d} 00000 n \n".encode() for place in places)
    out += f"trailer << /Size {len(objects) + 1} /Root 1 0 R {trailer} >>\n".encode()
    return bytes(out + f"startxref\n{start}\n%%EOF\n".encode())


def _encryption(user: str) -> tuple[bytes, str]:
    """Return key and dictionary of the 40-bit encryption of PDF 1.1 (revision 2)."""
    padded = (user.encode() + _PAD)[:32]
    owner = _rc4(hashlib.md5((b"owner" + _PAD)[:32]).digest()[:5], padded)
    rights = -4
    raw = padded + owner + rights.to_bytes(4, "little", signed=True) + bytes(16)
    key = hashlib.md5(raw).digest()[:5]
    return key, (
        f"<< /Filter /Standard /V 1 /R 2 /P {rights} /O <{owner.hex()}> "
        f"/U <{_rc4(key, _PAD).hex()}> >>"
    )


def _object_key(key: bytes, number: int) -> bytes:
    return hashlib.md5(key + number.to_bytes(3, "little") + bytes(2)).digest()[: len(key) + 5]


def _rc4(key: bytes, data: bytes) -> bytes:
    state = list(range(256))
    j = 0
    for i in range(256):
        j = (j + state[i] + key[i % len(key)]) % 256
        state[i], state[j] = state[j], state[i]
    out = bytearray()
    i = j = 0
    for byte in data:
        i = (i + 1) % 256
        j = (j + state[i]) % 256
        state[i], state[j] = state[j], state[i]
        out.append(byte ^ state[(state[i] + state[j]) % 256])
    return bytes(out)
