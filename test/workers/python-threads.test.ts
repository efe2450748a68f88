// Guards "threads, pools and processes run in place": results and exceptions are as elsewhere, and a wait that would
// never end says so.

import { describe, expect, test } from 'vitest'

import { python, run } from './python-fixture.ts'

/** A timeout for a test that never ends. */
const NEVER_MS = 60_000

describe('a thread', { timeout: NEVER_MS }, () => {
  test.each([
    [
      'runs at start, and has its own name',
      `
import threading
out = []
def work(x, y=0): out.append((x, y, threading.current_thread().name))
t = threading.Thread(target=work, args=(1,), kwargs={'y': 2}, name='me')
t.start(); t.join(); print(out, t.is_alive(), threading.current_thread() is threading.main_thread())`,
      "[(1, 2, 'me')] False True\n",
    ],
    [
      'prints its exception, and the script continues',
      `
import threading
t = threading.Thread(target=lambda: 1 / 0, name='bad'); t.start(); t.join(); print('on')`,
      'on\n',
    ],
    [
      'may be a subclass, with locks and a queue of results',
      `
import threading, queue
lock, results = threading.Lock(), queue.Queue()
class Worker(threading.Thread):
    def __init__(self, n): super().__init__(); self.n = n
    def run(self):
        with lock: results.put(self.n * 2)
workers = [Worker(n) for n in range(3)]
for w in workers: w.start()
for w in workers: w.join()
print(sorted(results.get() for _ in workers))`,
      '[0, 2, 4]\n',
    ],
    [
      'that waits for work starts when somebody waits for it',
      `
import threading, queue
jobs, done = queue.Queue(), []
def work():
    while True:
        item = jobs.get()
        if item is None: break
        done.append(item)
        jobs.task_done()
threads = [threading.Thread(target=work, daemon=True) for _ in range(2)]
for t in threads: t.start()
for n in range(4): jobs.put(n)
for t in threads: jobs.put(None)
for t in threads: t.join()
print(done)`,
      '[0, 1, 2, 3]\n',
    ],
    [
      'of a daemon empties its queue',
      `
import threading, queue
jobs = queue.Queue()
def work():
    while True:
        print(jobs.get(), end=' ')
        jobs.task_done()
threading.Thread(target=work, daemon=True).start()
for n in range(3): jobs.put(n)
jobs.join(); print('all')`,
      '0 1 2 all\n',
    ],
    [
      'of a timer fires while the script sleeps, and not if it was cancelled',
      `
import threading, time
threading.Timer(0.01, print, ['fired']).start()
t = threading.Timer(0.01, print, ['never']); t.start(); t.cancel()
time.sleep(0.02); print('slept')
threading.Timer(0.01, print, ['last']).start()`,
      'fired\nslept\nlast\n',
    ],
  ])('%s', async (_, code, expected) => {
    expect((await python(code)).stdout).toBe(expected)
  })

  test('that waits for another one reports that it would wait forever', async () => {
    for (const code of [
      'import queue; queue.Queue().get()',
      'import queue; queue.SimpleQueue().get()',
      'import threading; threading.Event().wait()',
    ])
      expect((await python(code)).stderr).toMatch(
        /RuntimeError: this sandbox runs a thread in place, at start\(\), and this waits/,
      )
    expect((await python('import threading; print(threading.Event().wait(0.01))')).stdout).toBe('False\n')
  })
})

describe('a pool', { timeout: NEVER_MS }, () => {
  test.each([
    [
      'of threads',
      `
from concurrent.futures import ThreadPoolExecutor, as_completed, wait
def f(x): return 1 // x
with ThreadPoolExecutor(max_workers=4, initializer=print, initargs=('init',)) as pool:
    futures = {pool.submit(f, x): x for x in (1, 0)}
    print(sorted(futures[done] for done in as_completed(futures)), [type(done.exception()).__name__ for done in futures])
    print(len(wait(futures).done), list(pool.map(f, [1, 1])))`,
      "init\n[0, 1] ['NoneType', 'ZeroDivisionError']\n2 [1, 1]\n",
    ],
    [
      'of processes',
      `
from concurrent.futures import ProcessPoolExecutor
import concurrent.futures, math
with ProcessPoolExecutor(2) as pool: print(list(pool.map(math.factorial, [3, 4], chunksize=2)), pool.submit(pow, 2, 3).result())
try: pool.submit(pow, 1, 1)
except RuntimeError as error: print(error)`,
      '[6, 24] 8\ncannot schedule new futures after shutdown\n',
    ],
    [
      'of multiprocessing',
      `
import multiprocessing as mp
from multiprocessing.pool import ThreadPool
with mp.Pool(4) as pool:
    print(pool.map(abs, [-1, 2]), pool.starmap(pow, [(2, 3)]), list(pool.imap_unordered(abs, [-3])), pool.apply_async(abs, (-4,)).get(1))
    try: pool.map(len, [1])
    except TypeError as error: print(error)
with ThreadPool(2) as pool: print(pool.map(abs, [-5]))
with mp.get_context('spawn').Pool() as pool: print(pool.map(abs, [-6]))`,
      "[1, 2] [8] [3] 4\nobject of type 'int' has no len()\n[5]\n[6]\n",
    ],
    [
      'of the event loop',
      `
import asyncio
from concurrent.futures import ProcessPoolExecutor
async def main():
    loop = asyncio.get_running_loop()
    print(await asyncio.to_thread(pow, 2, 3), await loop.run_in_executor(None, abs, -4))
    with ProcessPoolExecutor() as pool: print(await loop.run_in_executor(pool, abs, -5))
    try: await asyncio.to_thread(lambda: 1 / 0)
    except ZeroDivisionError as error: print(error)
asyncio.run(main())`,
      '8 4\n5\ndivision by zero\n',
    ],
  ])('%s', async (_, code, expected) => {
    const { stdout, stderr } = await python(code)
    expect([stdout, stderr]).toEqual([expected, ''])
  })
})

test('a process runs at start, and has an exit code', { timeout: NEVER_MS }, async () => {
  const code = `
import multiprocessing as mp, sys
def work(q, n):
    q.put(n)
    if n == 1: sys.exit(3)
    if n == 2: raise ValueError('bad')
if __name__ == '__main__':
    q = mp.Queue()
    all = [mp.Process(target=work, args=(q, n)) for n in range(3)]
    for p in all: p.start()
    for p in all: p.join()
    print([p.exitcode for p in all], [q.get() for _ in all], all[0].is_alive())
    with mp.Manager() as manager:
        shared = manager.dict()
        p = mp.Process(target=shared.update, args=({'a': 1},)); p.start(); p.join()
        print(dict(shared), mp.Value('i', 3).value)`
  const { stdout, stderr } = await run({ argv: ['python3', '-'], stdin: code })
  expect([stdout, stderr.trim().split('\n').at(-1)]).toEqual([
    "[0, 3, 1] [0, 1, 2] False\n{'a': 1} 3\n",
    'ValueError: bad',
  ])
})
