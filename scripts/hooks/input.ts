// The input of `npm run hooks`: what create sends, payloads, headers and secrets.

import { err, ok, type Result } from '../../src/lib/result.ts'
import { readTextFile } from '../tools/input.ts'
import { runFields } from '../unattended/fields.ts'
import type { HookFlags, HookPorts } from './ports.ts'

/** The body of the request that creates a hook, or what is wrong with the flags. The server checks the values. */
export async function hookBody(
  name: string,
  flags: HookFlags,
  ports: HookPorts,
): Promise<Result<object, string>> {
  const { scheme, template, file, thread, latest } = flags
  if (template !== undefined && file !== undefined) return err('create takes --template or --file, not both.')
  const text = file === undefined ? ok(template) : await readTextFile(file)
  if (!text.ok) return text
  const run = await runFields(flags)
  if (!run.ok) return run
  const secret = await givenSecret(flags, ports)
  if (!secret.ok) return secret
  return ok({
    ...run.value,
    name,
    ...(scheme !== undefined && { scheme }),
    ...(text.value !== undefined && { template: text.value }),
    ...(thread !== undefined && { thread: thread.includes('{{') ? { key: thread } : thread }),
    ...(latest && { on_busy: 'latest' }),
    ...(secret.value !== null && { secret: secret.value }),
  })
}

/** The secret of --secret, which is asked for if the flag is `-`; null without the flag. */
export async function givenSecret(
  { secret }: Pick<HookFlags, 'secret'>,
  { askSecret }: Pick<HookPorts, 'askSecret'>,
): Promise<Result<string | null, string>> {
  if (secret !== '-') return ok(secret ?? null)
  if (!askSecret) return err('--secret - needs a terminal, because the command asks for the secret.')
  return ok(await askSecret('Secret (not shown): '))
}

/** The headers of --header, by name in lower case. */
export function givenHeaders(headers: readonly string[]): Result<Readonly<Record<string, string>>, string> {
  const read: Record<string, string> = {}
  for (const header of headers) {
    const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(header) ?? []
    if (name === undefined || value === undefined)
      return err(`--header ${header} is not a header. Write it like --header 'X-GitHub-Event: issues'`)
    read[name.toLowerCase()] = value
  }
  return ok(read)
}

export async function payloadOf(
  verb: 'test' | 'send',
  { file }: Pick<HookFlags, 'file'>,
): Promise<Result<string, string>> {
  return file === undefined
    ? err(`${verb} takes --file FILE: the payload, such as a JSON body that the sender has sent.`)
    : readTextFile(file)
}
