"""Import the modules named on the command line, and nothing else."""

import importlib
import sys

for name in sys.argv[1:]:
    importlib.import_module(name)
