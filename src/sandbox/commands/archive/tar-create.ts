// `tar -c` and `tar -r`: from files to an archive.

import { gzipSync } from 'node:zlib'

import { Failed, Unsupported, type CommandIo } from '../command.ts'
import { concat } from '../io/bytes.ts'
import { permissionsText } from '../file/mode-text.ts'
import { isGzip, UNPACKED_MAX } from './gzip-format.ts'
import { matchesMember, type TarOptions } from './tar-options.ts'
import { endArchive, membersEnd, packMembers, type TarMember, type TarOwner } from './tar-format.ts'

/** The owner of all files. */
const USER: TarOwner = { id: 1_000, name: 'user' }
const KNOWN: Readonly<Record<string, string>> = { 0: 'root', 1000: 'user' }

export async function writeArchive(io: CommandIo, options: TarOptions): Promise<number> {
  const existing = await existingMembers(io, options)
  if (options.names.length === 0 && options.mode === 'create' && !options.listed)
    throw new Failed(
      "Cowardly refusing to create an empty archive\nTry 'tar --help' or 'tar --usage' for more information.",
      2,
    )
  const owner = ownerOf(options.owner, options.numericOwner)
  const group = ownerOf(options.group, options.numericOwner)
  const members: TarMember[] = []
  /** Members by path: a file that is named twice is stored as a link to the first one. */
  const packed = new Map<string, string>()
  let text = ''
  let bytes = 0
  let exitCode = 0
  const add = async (name: string, folder: string): Promise<void> => {
    if (options.excluded.some((pattern) => matchesMember(pattern, name))) return
    const path = name.startsWith('/') ? name : `${folder}/${name}`
    const status = await (options.dereferences ? io.files.stat(path) : io.files.lstat(path))
    if (!status) {
      await io.stderr.write(`tar: ${name}: Cannot stat: No such file or directory\n`)
      exitCode = 2
      return
    }
    const { kind, mode } = status
    if (options.archive !== '-' && io.files.resolve(path) === io.files.resolve(options.archive)) {
      await io.stderr.write(`tar: ${name}: file is the archive; not dumped\n`)
      return
    }
    const isFolder = kind === 'directory'
    const bare = name.replace(/^\/+/, '').replace(/\/+$/, '')
    const changed = options.transform(bare)
    const member = isFolder && bare !== '' ? `${changed}/` : changed
    const shown = options.showsTransformed ? member : isFolder && bare !== '' ? `${bare}/` : bare
    const real = io.files.resolve(path)
    const first = kind === 'file' ? packed.get(real) : undefined
    packed.set(real, first ?? member)
    const data = kind === 'file' && first === undefined ? await io.files.read(path) : new Uint8Array()
    bytes += data.length
    if (bytes > UNPACKED_MAX) throw new Unsupported('tar of so much data', 'several archives')
    const mtimeMs = options.mtimeMs ?? status.mtimeMs
    const link =
      first !== undefined
        ? ({ kind: 'same', target: first } as const)
        : kind === 'link'
          ? { target: await io.files.readLink(path) }
          : {}
    const entry = { name: member, kind, mode: mode & 0o7777, mtimeMs, owner, group, bytes: data, ...link }
    if (member !== '') members.push(entry)
    if (options.verbose > 0 && shown !== '')
      text += `${options.verbose > 1 ? memberLine({ ...entry, mtimeMs: status.mtimeMs }, shown) : shown}\n`
    if (!isFolder || !options.recurses) return
    for (const child of await io.files.list(path))
      await add(`${name.replace(/(?<=.)\/$/, '')}/${child}`, folder)
  }
  for (const { name, folder } of options.names) {
    if (name.startsWith('/')) await io.stderr.write("tar: Removing leading `/' from member names\n")
    await add(name, folder)
  }
  const plain = endArchive(concat([existing, packMembers(members)]))
  const archive = options.gzip ? new Uint8Array(gzipSync(plain)) : plain
  await (options.archive === '-' ? io.stderr : io.stdout).write(text)
  if (options.archive === '-') await io.stdout.write(archive)
  else await io.files.write(options.archive, archive)
  if (exitCode !== 0) await io.stderr.write('tar: Exiting with failure status due to previous errors\n')
  return exitCode
}

/** Reads the existing members, which `-r` keeps. */
async function existingMembers(io: CommandIo, { mode, archive, gzip }: TarOptions): Promise<Uint8Array> {
  if (mode === 'create' || archive === '-' || !(await io.files.stat(archive))) return new Uint8Array()
  const bytes = await io.files.read(archive)
  if (gzip || isGzip(bytes))
    throw new Failed('Cannot update compressed archives\ntar: Error is not recoverable: exiting now', 2)
  return bytes.subarray(0, membersEnd(bytes))
}

/** Parses `NAME`, `NUMBER`, `NAME:NUMBER` or `+NUMBER`. */
function ownerOf(text: string | null, numeric: boolean): TarOwner {
  const [, given = '', number] = /^([^:]*)(?::\+?(\d+))?$/.exec(text ?? '') ?? []
  const plain = /^\d+$/.test(given) ? given : undefined
  const byName = Object.keys(KNOWN).find((key) => KNOWN[key] === given)
  const id = number ?? plain ?? byName ?? String(USER.id)
  const name = text === null ? USER.name : plain !== undefined || given === '' ? (KNOWN[id] ?? '') : given
  return { id: Number(id), name: numeric ? '' : name }
}

/** Minimum width of owner and size together. */
const OWNER_WIDTH = 19

/** A row of `tar -tv`. */
export function memberLine(
  {
    kind,
    mode,
    mtimeMs,
    owner,
    group,
    bytes,
    target,
  }: Omit<TarMember, 'bytes'> & { readonly bytes: { readonly length: number } },
  name: string,
): string {
  const owners = `${owner.name || owner.id}/${group.name || group.id}`
  const size = String(bytes.length)
  const padding = ' '.repeat(Math.max(1, OWNER_WIDTH - owners.length - size.length))
  const time = new Date(mtimeMs).toISOString().slice(0, 16).replace('T', ' ')
  const isSame = kind === 'same'
  const status = { kind: isSame ? 'file' : kind, mode, size: 0, mtimeMs: 0, inode: 0 } as const
  const arrow = target === undefined ? '' : ` ${isSame ? 'link to' : '->'} ${target}`
  return `${isSame ? 'h' : ''}${permissionsText(status).slice(isSame ? 1 : 0)} ${owners}${padding}${size} ${time} ${name}${arrow}`
}
