// The input of `npm run hooks`: request bodies, payloads, headers and secrets.

import { err, ok, type Result } from '../../src/lib/result.ts'
import { readTextFile } from '../tools/input.ts'
import { runFields } from '../unattended/fields.ts'
import type { HookFlags, HookPorts } from './ports.ts'

/** The body of the request that creates a hook, or an error about the flags. The server validates the values. */
export async function newHook(
  name: string,
  flags: HookFlags,
  ports: HookPorts,
): Promise<Result<object, string>> {
  const given = await hookFields('create', flags)
  if (!given.ok) return given
  const secret = await givenSecret(flags, ports)
  if (!secret.ok) return secret
  return ok({
    ...given.value,
    name,
    ...(flags.scheme !== undefined && { scheme: flags.scheme }),
    ...(secret.value !== null && { secret: secret.value }),
  })
}

/** The body of the request that changes a hook, or an error about the flags. */
export async function hookChange(flags: HookFlags): Promise<Result<object, string>> {
  if (flags.secret !== undefined) return err('change keeps the secret. To replace it, use rotate.')
  if (flags.scheme !== undefined) return err('change keeps the scheme. For another one, create another hook.')
  const given = await hookFields('change', flags)
  if (!given.ok) return given
  const body = { ...given.value, ...(flags.name !== undefined && { name: flags.name }) }
  return Object.keys(body).length > 0
    ? ok(body)
    : err('change needs at least one option, such as --template TEXT.')
}

/** The fields set by the flags. */
async function hookFields(verb: string, flags: HookFlags): Promise<Result<object, string>> {
  const { template, file, thread } = flags
  if (template !== undefined && file !== undefined)
    return err(`${verb} takes --template or --file, not both.`)
  const text = file === undefined ? ok(template) : await readTextFile(file)
  if (!text.ok) return text
  const run = await runFields(flags)
  if (!run.ok) return run
  return ok({
    ...run.value,
    ...(text.value !== undefined && { template: text.value }),
    ...(thread !== undefined && { thread: thread.includes('{{') ? { key: thread } : thread }),
    ...(flags['on-busy'] !== undefined && { on_busy: flags['on-busy'] }),
  })
}

/** The secret of --secret; null without the flag. If the flag is `-`, asks for it or reads standard input. */
export async function givenSecret(
  { secret }: Pick<HookFlags, 'secret'>,
  { askSecret }: Pick<HookPorts, 'askSecret'>,
): Promise<Result<string | null, string>> {
  if (secret !== '-') return ok(secret ?? null)
  const given = (await askSecret('Secret (not shown): '))?.trim() ?? ''
  return given === '' ? err('No secret was given. Type one, or pipe it to --secret -.') : ok(given)
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
