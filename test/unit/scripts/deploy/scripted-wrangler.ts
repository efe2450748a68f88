// A scripted wrangler: answers by the beginning of its arguments, and records its calls.

import { writeFileSync } from 'node:fs'

import type { RunWrangler } from '../../../../scripts/lib/wrangler.ts'

type Answer = string | Error | ((args: readonly string[]) => string)

export function scripted(answers: Readonly<Record<string, Answer>>): {
  readonly run: RunWrangler
  readonly calls: string[][]
  readonly inputs: string[]
} {
  const calls: string[][] = []
  const inputs: string[] = []
  const run: RunWrangler = async (args, call = {}) => {
    calls.push([...args])
    if (call.input !== undefined) inputs.push(call.input)
    const file = call.env?.['WRANGLER_OUTPUT_FILE_PATH']
    if (file !== undefined) writeFileSync(file, '{"type":"wrangler-session"}\n')
    const line = args.join(' ')
    const [, answer] = Object.entries(answers).find(([beginning]) => line.startsWith(beginning)) ?? []
    if (answer === undefined) throw new Error(`The script knows no ${line}.`)
    if (answer instanceof Error) throw answer
    return typeof answer === 'string' ? answer : answer(args)
  }
  return { run, calls, inputs }
}
