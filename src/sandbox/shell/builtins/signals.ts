// `trap`, `kill`, `wait` and `jobs`.

import { quoteSingle } from '../syntax/quoting.ts'
import { CommandError } from '../state/flow.ts'
import type { Job, Shell } from '../state/shell.ts'
import { eventName, printedName, signalNames, signalNumber } from '../state/traps.ts'
import { parseLetters, parseWhole, print, report, type Builtin } from './builtin.ts'

export const trap: Builtin = async (call) => {
  const { shell } = call
  const { letters, operands } = parseLetters(call.args, 'lp')
  if (letters.has('l')) return print(call, signalList())
  if (letters.has('p') || operands.length === 0) {
    const wanted = operands.map(eventName)
    const lines = shell.traps
      .entries()
      .filter(([event]) => wanted.length === 0 || wanted.includes(event))
      .map(([event, command]) => `trap -- ${quoteSingle(command)} ${printedName(event)}\n`)
    return print(call, lines.join(''))
  }
  const [command = '', ...events] = operands
  const resets = events.length === 0 || command === '-'
  let status = 0
  for (const text of events.length === 0 ? [command] : events) {
    const event = eventName(text)
    if (event === null) status = await report(call, `${text}: invalid signal specification`)
    else shell.traps.set(event, resets ? null : command)
  }
  return status
}

function signalList(): string {
  const names = signalNames().map((name, index) => `${String(index + 1).padStart(2)}) SIG${name}`)
  const rows: string[] = []
  for (let index = 0; index < names.length; index += 5) rows.push(names.slice(index, index + 5).join('\t'))
  return `${rows.join('\n')}\n`
}

export const kill: Builtin = async (call) => {
  const { shell, args } = call
  if (args[0] === '-l' || args[0] === '-L') {
    if (args.length === 1) return print(call, signalList())
    for (const text of args.slice(1)) {
      const number = parseWhole(text)
      const event =
        number === null ? eventName(text) : eventName(String(number > 128 ? number - 128 : number))
      if (event === null) throw new CommandError(`${text}: invalid signal specification`)
      await print(call, `${number === null ? (signalNumber(event) ?? 0) : event}\n`)
    }
    return 0
  }
  let operands = [...args]
  let signal: string | null = 'TERM'
  const [first = ''] = operands
  if (first === '-s' || first === '-n') {
    signal = eventName(operands[1] ?? '')
    operands = operands.slice(2)
  } else if (/^-[^-]/.test(first)) {
    signal = eventName(first.slice(1))
    operands = operands.slice(1)
  }
  if (operands[0] === '--') operands = operands.slice(1)
  if (signal === null)
    throw new CommandError(
      `${args[0] === '-s' ? (args[1] ?? '') : first.slice(1)}: invalid signal specification`,
    )
  if (operands.length === 0)
    throw new CommandError(
      'usage: kill [-s sigspec | -n signum | -sigspec] pid | jobspec ... or kill -l [sigspec]',
      2,
    )
  let status = 0
  for (const operand of operands) status = (await send(shell, operand, signal, call)) || status
  return status
}

async function send(
  shell: Shell,
  operand: string,
  signal: string,
  call: Parameters<Builtin>[0],
): Promise<number> {
  // A shell that signals itself runs its trap.
  const isOwn = Number(operand) === shell.id
  const job = isOwn ? undefined : (jobOf(shell.jobs, operand) ?? shell.jobWithId(operand))
  if (job) {
    if (job.finished) return report(call, `(${operand}) - No such process`)
    if (signal !== 'EXIT') job.end(128 + (signalNumber(signal) ?? 15))
    return 0
  }
  if (Number(operand) === shell.processId && shell.root !== shell) {
    if (signal !== 'EXIT') shell.root.pendingSignals.push(signal)
    return 0
  }
  if (!isOwn)
    return report(
      call,
      /^\d+$/.test(operand)
        ? `(${operand}) - No such process`
        : `${operand}: arguments must be process or job IDs`,
    )
  if (signal === 'EXIT') return 0
  await shell.session.runner.signal(shell, signal)
  return 0
}

function jobOf(all: readonly Job[], operand: string): Job | undefined {
  if (operand === '%' || operand === '%%' || operand === '%+') return all.at(-1)
  if (operand === '%-') return all.at(-2)
  if (/^%\d+$/.test(operand)) return all[Number(operand.slice(1)) - 1]
  return all.find(({ id }) => String(id) === operand)
}

export const wait: Builtin = async (call) => {
  const { shell } = call
  const { letters, operands } = parseLetters(call.args, 'fnp:')
  const waiting = shell.jobs.filter(({ waited }) => !waited)
  if (letters.has('n')) {
    if (waiting.length === 0) return 127
    const ended = await Promise.race(waiting.map(async (job) => ({ job, status: await job.done })))
    ended.job.waited = true
    return ended.status
  }
  if (operands.length === 0) {
    for (const job of waiting) {
      await job.done
      job.waited = true
    }
    return 0
  }
  let status = 0
  for (const operand of operands) {
    const job = jobOf(shell.jobs, operand)
    if (!job) {
      status = 127
      await report(
        call,
        operand.startsWith('%') ? `${operand}: no such job` : `pid ${operand} is not a child of this shell`,
      )
      continue
    }
    status = await job.done
    job.waited = true
  }
  return status
}

export const jobs: Builtin = async (call) => {
  const { letters, operands } = parseLetters(call.args, 'lnprs')
  const { shell } = call
  const all = [...shell.listedJobs, ...shell.jobs]
  const wanted = operands.map((operand) => jobOf(all, operand))
  const running = all.filter(({ finished }) => !finished)
  const shown = running.filter((job) => wanted.length === 0 || wanted.includes(job))
  if (letters.has('p')) return print(call, shown.map(({ id }) => `${id}\n`).join(''))
  const lines = shown.map((job) => {
    const mark = job === running.at(-1) ? '+' : job === running.at(-2) ? '-' : ' '
    const id = letters.has('l') ? `${job.id} ` : ' '
    return `[${all.indexOf(job) + 1}]${mark} ${id}${'Running'.padEnd(24)}${job.source} &\n`
  })
  return print(call, lines.join(''))
}
