"""Types lines into a shell, each with a tab at the end, and prints what the shell then runs.

complete.py SHELL PROGRAM LINE...

PROGRAM is the folder of `longhand`, which is on the path.
"""
import os
import pty
import re
import select
import sys
import tempfile
import time

shell, folder, *lines = sys.argv[1:]
PROMPT = "READY> "

with tempfile.TemporaryDirectory() as home:
    script = f"{home}/script"
    setup = {
        "bash": f"PS1='{PROMPT}'\nlonghand completions bash >{script}; source {script}\n",
        "zsh": f"PROMPT='{PROMPT}'\nautoload -Uz compinit; compinit -u -D\n"
        f"longhand completions zsh >{script}; source {script}\n",
        "fish": f"function fish_prompt; echo -n '{PROMPT}'; end\nset -g fish_greeting\n"
        "longhand completions fish | source\n",
    }[shell]
    name = {"bash": "bashrc", "zsh": ".zshrc", "fish": "config.fish"}[shell]
    with open(f"{home}/{name}", "w") as file:
        file.write(setup)
    arguments = {
        "bash": ["bash", "--noprofile", "--rcfile", f"{home}/bashrc", "-i"],
        "zsh": ["zsh", "-d", "-i"],
        "fish": ["fish", "--private", "-N", "-i", "-C", f"source {home}/config.fish"],
    }[shell]
    environment = dict(
        os.environ, HOME=home, ZDOTDIR=home, XDG_CONFIG_HOME=home, XDG_DATA_HOME=home, TERM="dumb", LANG="C.UTF-8",
        PATH=f"{folder}:{os.environ['PATH']}",
    )
    child, terminal = pty.fork()
    if child == 0:
        os.execvpe(shell, arguments, environment)
    output = b""
    everything = b""

    def wait(text, seconds=20):
        """Reads until the shell has printed a text; the next call begins behind it."""
        global output, everything
        end = time.monotonic() + seconds
        while text.encode() not in output:
            if time.monotonic() > end:
                sys.exit(f"{shell} did not print {text!r}: {output!r}")
            if select.select([terminal], [], [], 0.1)[0]:
                try:
                    output += os.read(terminal, 65536)
                except OSError:
                    sys.exit(f"{shell} ended: {output!r}")
        before, _, output = output.partition(text.encode())
        everything += before + text.encode()

    wait(PROMPT)
    everything = b""
    for line in lines:
        os.write(terminal, line.encode() + b"\t")
        os.write(terminal, b"; echo do''ne\r")
        wait("done")
        wait(PROMPT)
    os.write(terminal, b"exit\r")
    os.close(terminal)
    os.waitpid(child, 0)
text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]|[\r\a]", "", everything.decode(errors="replace"))
print(text)
