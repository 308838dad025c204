"""A server makes the vectors that its writes leave out, behind its client's back."""

from __future__ import annotations

from pathlib import Path

import anyio
import anyio.to_thread
from mcp.client.session import ClientSession
from mcp.shared.message import SessionMessage

from memhtml import Store
from memhtml.mcp.server import built
from memhtml.ops.background import Background

LONG = 60.0


def test_a_write_gets_its_vector_after_it_is_answered(root: Path) -> None:
    """So does what was there before the server."""

    async def run(store: Store, background: Background) -> None:
        to_server, from_client = anyio.create_memory_object_stream[SessionMessage | Exception](8)
        to_client, from_server = anyio.create_memory_object_stream[SessionMessage | Exception](8)
        index = store._workspace.index
        async with anyio.create_task_group() as tasks:
            server = built(store._workspace, background)
            tasks.start_soon(server.run, from_client, to_client, server.create_initialization_options())
            async with ClientSession(from_server, to_server) as client:  # type: ignore[arg-type]  # never an exception
                await client.initialize()
                assert index.missing_vectors() == 1
                await client.list_tools()
                assert await anyio.to_thread.run_sync(background.settled, LONG)
                assert index.missing_vectors() == 0
                await client.call_tool("memory_write", {"claim": "The spare rack has no room."})
                assert await anyio.to_thread.run_sync(background.settled, LONG)
                assert index.missing_vectors() == 0
            tasks.cancel_scope.cancel()

    with Store.init(root, embed="fake-words@32") as store:
        store.write("Rack 4 stands in room 400.")
        with Background(store._workspace) as background:
            anyio.run(run, store, background)
