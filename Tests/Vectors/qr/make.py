#!/usr/bin/env python3
"""Writes symbols.csv beside this file with the package qrcode (PyPI, 8.2), an independent encoder.

  pip install qrcode==8.2 && Tests/Vectors/qr/make.py

A row has the version, the level of error correction, the mask, the text, and the SHA-256 of the modules by rows as the digits 0
and 1. The mask is given to the encoder, because the standard leaves details of the penalties open."""
import csv
import hashlib
import pathlib

import qrcode
from qrcode import constants

LEVELS = {"low": constants.ERROR_CORRECT_L, "medium": constants.ERROR_CORRECT_M,
          "quartile": constants.ERROR_CORRECT_Q, "high": constants.ERROR_CORRECT_H}
TEXTS = ["0123456789012", "HTTP://A%", "héllo"]

with open(pathlib.Path(__file__).with_name("symbols.csv"), "w", newline="") as file:
    table = csv.writer(file, lineterminator="\n")
    table.writerow(["version", "level", "mask", "text", "sha256"])
    for version in range(1, 41):
        for place, level in enumerate(LEVELS):
            text, mask = TEXTS[(version + place) % 3], (3 * version + place) % 8
            code = qrcode.QRCode(version=version, error_correction=LEVELS[level], mask_pattern=mask, border=0)
            code.add_data(text.encode(), optimize=0)
            code.make(fit=False)
            modules = "".join("1" if module else "0" for row in code.modules for module in row)
            table.writerow([version, level, mask, text, hashlib.sha256(modules.encode()).hexdigest()])
