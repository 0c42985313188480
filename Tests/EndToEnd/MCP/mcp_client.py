"""Calls `longhand mcp` with the protocol's official Python package, and prints the answers as JSON.

mcp_client.py PROGRAM CALLS OPTION...

CALLS is JSON: a list of [name of a tool, its arguments]; "prompt:NAME" gets a prompt.
"""
import asyncio
import json
import os
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

program, calls, *options = sys.argv[1:]


def sockets():
    """The sockets of the server, apart from standard input, which the package makes a socket."""
    with open(f"/proc/{os.getpid()}/task/{os.getpid()}/children") as file:
        server = file.read().split()[0]
    names = [name for name in os.listdir(f"/proc/{server}/fd") if name != "0"]
    return [n for n in names if os.readlink(f"/proc/{server}/fd/{n}").startswith("socket:")]


def plain(answer):
    return answer.model_dump(mode="json", by_alias=True, exclude_none=True)


async def main():
    parameters = StdioServerParameters(command=program, args=["mcp", *options], env=dict(os.environ))
    async with stdio_client(parameters) as (read, write), ClientSession(read, write) as session:
        answers = {"initialize": plain(await session.initialize()), "progress": []}
        answers["tools"] = plain(await session.list_tools())["tools"]
        answers["resources"] = plain(await session.list_resources())["resources"]
        answers["contents"] = [
            json.loads(plain(await session.read_resource(resource["uri"]))["contents"][0]["text"])
            for resource in answers["resources"]
        ]
        answers["templates"] = plain(await session.list_resource_templates())["resourceTemplates"]
        answers["segments"] = [
            json.loads(plain(await session.read_resource(f"{resource['uri']}/segments/0"))["contents"][0]["text"])
            for resource in answers["resources"]
        ]
        answers["prompts"] = plain(await session.list_prompts())["prompts"]
        answers["sockets"] = sockets()

        async def progress(done, total, message):
            answers["progress"].append([done, total])

        answers["calls"] = []
        for name, arguments in json.loads(calls):
            try:
                if name.startswith("prompt:"):
                    answers["calls"].append(plain(await session.get_prompt(name[7:], arguments)))
                    continue
                answer = plain(await session.call_tool(name, arguments, progress_callback=progress))
            except Exception as error:
                answer = {"refused": str(error)}
            answers["calls"].append(answer)
    print(json.dumps(answers))


asyncio.run(main())
