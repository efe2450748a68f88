// Benchmark of workerd's memory over many commands with warm pools of isolates: a thousand in sequence in one thread,
// then in eight threads concurrently. Checks each command's output.

import { SANDBOX_ISOLATES_MAX } from '../../../src/sandbox/limits.ts'
import { line, plain, withSign, type FigureLine, type PartResult, type ReportProgress } from '../rig/lines.ts'
import { callTool, newThread } from '../rig/requests.ts'
import { withSatchel, type WorkerServer } from '../rig/worker.ts'

const CONSECUTIVE_COMMANDS = 1_000
const THREADS = 8
const COMMANDS_PER_THREAD = 60
/** Number of commands per run, executed in sequence. */
const COMMANDS_PER_RUN = 10
const WARM_UP_COMMANDS = 250
const GROWTH_MAX_MB = 100

interface Command {
  readonly command: string
  readonly answer: string
}

/**
 * Alternates between Python, JavaScript and the shell. Each command uses some megabytes and reads the output of the
 * previous one.
 */
function commandOf(number: number): Command {
  const answer = `${number} ${(number * (number + 1)) / 2}`
  const save = 'tee -a log.txt && tail -n 1 log.txt > last.txt && head -c 100 last.txt > /dev/null'
  const programs = [
    `python3 -c 'held = bytearray(8_000_000); print(${number}, sum(range(${number} + 1)))' | ${save}`,
    `node -e 'const held = new Uint8Array(4_000_000); let sum = 0; for (let i = 0; i <= ${number}; i++) sum += i; console.log(${number}, sum)' | ${save}`,
    `seq 0 ${number} | awk '{ sum += $1 } END { print ${number}, sum }' | ${save}`,
  ]
  return { command: programs[number % programs.length] ?? '', answer }
}

/** Runs these commands in one run. Rejects if an output differs. */
async function run(url: string, thread: string, commands: readonly Command[]): Promise<void> {
  const inputs = commands.map(({ command }) => ({ command }))
  const results = await callTool(url, thread, 'bash', inputs)
  for (const [at, { command, answer }] of commands.entries()) {
    const result = results[at]
    if (!result || result.is_error || result.preview.split('\n')[0] !== answer)
      throw new Error(`${command}: not ${answer} but ${JSON.stringify(result ?? results)}`)
  }
}

/** Runs `count` commands in sequence, starting with number `first`. */
async function runConsecutively(url: string, thread: string, first: number, count: number): Promise<void> {
  for (let at = 0; at < count; at += COMMANDS_PER_RUN) {
    const now = Math.min(COMMANDS_PER_RUN, count - at)
    await run(
      url,
      thread,
      Array.from({ length: now }, (_, ord) => commandOf(first + at + ord)),
    )
  }
}

interface MemoryFigures {
  readonly emptyMb: number
  readonly warmMb: number
  readonly rowMb: number
  readonly atOnceMb: number
}

async function measureGrowth(satchel: WorkerServer, tell: ReportProgress): Promise<MemoryFigures> {
  const { url } = satchel
  const emptyMb = satchel.residentMb()
  const threads = await Promise.all(Array.from({ length: THREADS }, async () => newThread(url)))
  tell('sandbox-memory: warming the pools')
  await Promise.all(threads.map(async (thread, at) => runConsecutively(url, thread, at, WARM_UP_COMMANDS)))
  const warmMb = satchel.residentMb()
  tell(`sandbox-memory: ${CONSECUTIVE_COMMANDS} commands in a row`)
  await runConsecutively(url, threads[0] ?? '', 1, CONSECUTIVE_COMMANDS)
  const rowMb = satchel.residentMb()
  tell(`sandbox-memory: ${THREADS} threads at once`)
  await Promise.all(threads.map(async (thread, at) => runConsecutively(url, thread, at, COMMANDS_PER_THREAD)))
  return { emptyMb, warmMb, rowMb, atOnceMb: satchel.residentMb() }
}

function growthLine(what: string, from: number, to: number): FigureLine {
  const figure = `${withSign(to - from, 'MB', 0)} (${from.toFixed(0)} to ${to.toFixed(0)} MB)`
  return line(what, figure, `≤ + ${GROWTH_MAX_MB} MB`, to - from <= GROWTH_MAX_MB)
}

export async function measureMemory(tell: ReportProgress): Promise<PartResult> {
  return withSatchel(async (satchel) => {
    const sizes = await measureGrowth(satchel, tell)
    const pools = `${SANDBOX_ISOLATES_MAX} python3, ${SANDBOX_ISOLATES_MAX} node and ${THREADS} bash isolates`
    const { emptyMb, warmMb, rowMb, atOnceMb } = sizes
    const warm = `${warmMb.toFixed(0)} MB (${emptyMb.toFixed(0)} MB before)`
    return {
      figures: sizes,
      lines: [
        plain(`workerd memory, pools warm: ${pools}`, warm),
        growthLine(
          `workerd memory after ${CONSECUTIVE_COMMANDS} consecutive commands, all output correct`,
          warmMb,
          rowMb,
        ),
        growthLine(
          `workerd memory after ${THREADS} × ${COMMANDS_PER_THREAD} more concurrent commands, all output correct`,
          warmMb,
          atOnceMb,
        ),
      ],
    }
  })
}
