// Benchmark of chats next to busy commands: 64 commands of 8 threads, and one more thread that asks simple questions.

import { meanwhile } from '../rig/meanwhile.ts'
import { under, spread, type PartResult, type ReportProgress } from '../rig/lines.ts'
import { callTool, say } from '../rig/requests.ts'
import { figures } from '../rig/stats.ts'
import { startFakeApi, startWorker, withServers } from '../rig/worker.ts'

const THREADS = 8
const GOAL_P99_MS = 500
const PAUSE_MS = 20

/** Commands that each compute for about a second on an idle machine. Each thread runs eight of them in sequence. */
const COMMANDS = [
  "seq 1 400000 | sort -rn | awk '{ s += $1 } END { print s }'",
  'python3 -c "print(sum(i * i for i in range(3_000_000)))"',
  "awk 'BEGIN { for (i = 0; i < 2000000; i++) s += i % 7; print s }'",
  'node -e "let s = 0; for (let i = 0; i < 3e6; i++) s += i % 7; console.log(s)"',
  'seq 1 600000 | grep -c 7; seq 1 300000 | sed s/1/2/g | sort | uniq | wc -l',
  'i=0; while [ $i -lt 60000 ]; do i=$((i + 1)); done; echo $i',
  'seq 1 300000 | tr 1-5 a-e | cut -c 1-3 | sort -u | wc -l; head -c 8000000 /dev/zero | sha256sum',
  'python3 -c "import json; d = [{str(i): i} for i in range(60000)]; print(len(json.dumps(d)))"',
]

export async function measureBeside(tell: ReportProgress): Promise<PartResult> {
  return withServers(async (keep) => {
    const api = await keep(startFakeApi())
    const { url } = await keep(startWorker(api.url))
    // Before measuring, load the runtimes and create the other user's thread.
    await callTool(url, null, 'bash', { command: "python3 -c ''; node -e ''" })
    const { threadId } = await say(url, null, 'Hello')
    const rotated = (by: number) => COMMANDS.map((_, at) => COMMANDS[(at + by) % COMMANDS.length] ?? '')
    const inputs = (by: number) => rotated(by).map((command) => ({ command, timeout_s: 300 }))
    tell(`sandbox-beside: ${THREADS * COMMANDS.length} commands`)
    const work = Promise.all(
      Array.from({ length: THREADS }, async (_, thread) => callTool(url, null, 'bash', inputs(thread))),
    )
    const { took, seen } = await meanwhile(work, async () => say(url, threadId, 'And?'), PAUSE_MS)
    const failed = took.flat().filter(({ is_error: isError }) => isError)
    if (failed.length > 0) throw new Error(`${failed.length} commands failed: ${failed[0]?.preview}`)
    const waits = figures(seen.map(({ firstTextMs }) => firstTextMs))
    return {
      figures: { waits },
      lines: [
        under('first text beside 64 commands of 8 threads', spread(waits), waits.p99, GOAL_P99_MS, 'ms'),
      ],
    }
  })
}
