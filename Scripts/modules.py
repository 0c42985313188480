"""The modules of Sources, for the scripts that check them."""
import pathlib

SOURCES = pathlib.Path(__file__).resolve().parent.parent / "Sources"
# Folders that have modules in them.
GROUPS = ["", "Apple", "Programs", "Recognition", "Recognition/Models"]
# The names of modules that are not those of their folders.
NAMES = {"Core": "RecognitionCore", "Protocol": "RecognitionProtocol"}


def modules() -> dict[str, pathlib.Path]:
    """The folder of each module, by its name."""
    folders = [folder for group in GROUPS for folder in (SOURCES / group).iterdir() if folder.is_dir()]
    return {NAMES.get(folder.name, folder.name): folder for folder in sorted(folders)
            if str(folder.relative_to(SOURCES)) not in (*GROUPS, "System")}
