from tests.bot.dailies import Player, words
from tests.bot.server import Server
import time
async def test_smoke(server: Server) -> None:
    a = await Player.begin(server, server.members[0])
    print(a.text); print(a.verbs())
    n=0
    t=time.time()
    while a.buttons():
        await a.step(); n+=1
        if n in (1,2,3,4): print('-----\n',a.text)
    print(n, time.time()-t)
    print('=====',a.text)
    for m in server.messages: print('PUBLIC', words(m), m.flags)
    await server.env.advance_time(24*3600)
    for m in server.messages: print('PUBLIC', words(m))
    print(time.time()-t)
    assert 0
