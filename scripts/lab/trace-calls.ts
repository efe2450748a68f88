// Counts how often the work of one request changes between folders: every function of src/ records its file on entry,
// one request is made, and the records are read. The first requests warm up and are discarded. `node
// scripts/lab/trace-calls.ts [--calls FILE]`

import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire, stripTypeScriptTypes } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { parse, type AnyNode } from 'acorn'
import { full } from 'acorn-walk'
import MagicString from 'magic-string'

import { ROOT } from './rig/keys.ts'
import { oneSkill, adminRequest, say } from './rig/requests.ts'
import { startFakeApi, startWorker, withServers } from './rig/worker.ts'
import { command } from '../lib/command.ts'

const USAGE = `node scripts/lab/trace-calls.ts [--calls FILE]

Counts how often a message, a publish and an approval change from one folder of src/ to another.

  --calls FILE   writes the sequence of calls there, a file a line
  --help         this text`

const COPY = 'dist/traced'
/** Code of isolates and of the page is not part of this Worker. */
const NOT_TRACED = /^src\/(web|page|client|sandbox\/(node|python|bash)|files\/documents\/child)\//
/** After this many ms without records, the request and its follow-up work are over. */
const QUIET_MS = 400
const POLL_MS = 50

type Body = AnyNode & { readonly body?: AnyNode | readonly AnyNode[] }

/**
 * The same file with a call that records its name on entry to each function. Expression bodies become comma
 * expressions.
 */
function addRecords(file: string, text: string): string {
  const code = stripTypeScriptTypes(text)
  const edited = new MagicString(code)
  const recordCall = `globalThis.__calls?.push(${JSON.stringify(file)})`
  full(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }), (node) => {
    if (!/^(ArrowFunctionExpression|FunctionExpression|FunctionDeclaration)$/.test(node.type)) return
    const { body } = node as Body
    if (!body || !('type' in body)) return
    if (body.type === 'BlockStatement') edited.appendRight(body.start + 1, `${recordCall};`)
    else edited.appendRight(body.start, `(${recordCall},`).appendLeft(body.end, ')')
  })
  return edited.toString()
}

function writeCopy(): string {
  const root = join(ROOT, COPY)
  rmSync(root, { recursive: true, force: true })
  mkdirSync(root, { recursive: true })
  cpSync(join(ROOT, 'src'), join(root, 'src'), { recursive: true })
  for (const entry of readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const file = relative(root, path)
    if (!entry.isFile() || !file.endsWith('.ts') || NOT_TRACED.test(file)) continue
    writeFileSync(path, addRecords(file, readFileSync(path, 'utf8')))
  }
  writeFileSync(join(root, 'src/skills/build-digest.ts'), "export const BUILD_DIGEST = ''\n")
  const index = join(root, 'src/index.ts')
  const entry = readFileSync(index, 'utf8').replace('export default', 'const traced =')
  writeFileSync(
    index,
    `${entry}
globalThis.__calls = []
export default { fetch(request, env, ctx) {
  if (new URL(request.url).pathname !== '/__calls') return traced.fetch(request, env, ctx)
  const calls = globalThis.__calls
  if (request.method === 'DELETE') globalThis.__calls = []
  return Response.json(request.method === 'DELETE' ? calls : calls.length)
} }
`,
  )
  return `${COPY}/src/index.ts`
}

/** The calls since the last call of this function, once no more arrive. */
async function takeCalls(url: string): Promise<readonly string[]> {
  const count = async (): Promise<number> => (await (await fetch(`${url}/__calls`)).json()) as number
  for (let [before, since] = [-1, performance.now()]; performance.now() - since < QUIET_MS;) {
    await sleep(POLL_MS)
    const now = await count()
    if (now !== before) [before, since] = [now, performance.now()]
  }
  return (await (await fetch(`${url}/__calls`, { method: 'DELETE' })).json()) as readonly string[]
}

function countChanges(sequence: readonly string[]): number {
  return sequence.filter((file, at) => at > 0 && dirname(file) !== dirname(sequence[at - 1] ?? '')).length
}

const TOOL = {
  name: 'create_ticket',
  description: 'Opens a ticket.',
  input_schema: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
  request: { method: 'POST', url: 'https://tickets.invalid/tickets', body: { title: '{{input.title}}' } },
}

interface ApprovalList {
  readonly data: readonly {
    readonly thread_id: string
    readonly run_id: string
    readonly tool_use_id: string
    readonly digest: string
  }[]
}

/** Reads the response to its end. */
async function post(url: string, line: string, body: object): Promise<void> {
  await (await adminRequest(url, line, body)).arrayBuffer()
}

/** Prepares a call that waits for approval. Returns a function that approves it. */
async function prepareApproval(url: string): Promise<() => Promise<unknown>> {
  await post(url, 'POST /v1/chat', { message: 'CALL create_ticket {"title":"x"} END', stream: false })
  await takeCalls(url) // the list is updated a moment later
  const list = await adminRequest(url, 'GET /v1/approvals')
  const call = ((await list.json()) as ApprovalList).data[0]
  if (!call) throw new Error('No call waits for approval.')
  const { thread_id, run_id, tool_use_id, digest } = call
  const line = `POST /v1/threads/${thread_id}/runs/${run_id}/approvals/${tool_use_id}`
  return async () => post(url, line, { decision: 'approve', digest })
}

command(USAGE, { options: { calls: { type: 'string' } } }, async ({ values }) => {
  // Use the project's Node, because the copy is resolved against its packages.
  createRequire(join(ROOT, 'package.json')).resolve('wrangler/package.json')
  const entry = writeCopy()
  return withServers(async (keep) => {
    const api = await keep(startFakeApi())
    const { url } = await keep(startWorker(api.url, { entry }))
    await post(url, 'PUT /admin/tools/create_ticket', TOOL)
    const message = async (): Promise<unknown> => say(url, null, 'Hello')
    const publish = async (name: string): Promise<void> =>
      post(url, 'POST /admin/skills', oneSkill(name, 'Traces a publish. Use it never.'))
    await message()
    await publish('traced-first')
    await (
      await prepareApproval(url)
    )()
    const approve = await prepareApproval(url)
    const requests = { approval: approve, message, publish: async () => publish('traced-second') }
    const lines: string[] = []
    for (const [name, request] of Object.entries(requests)) {
      await takeCalls(url)
      await request()
      const sequence = await takeCalls(url)
      console.log(`${name.padEnd(10)} ${sequence.length} calls, ${countChanges(sequence)} changes of folder`)
      lines.push(`# ${name}`, ...sequence)
    }
    if (values.calls) writeFileSync(values.calls, `${lines.join('\n')}\n`)
    return 0
  }).finally(() => rmSync(join(ROOT, COPY), { recursive: true, force: true }))
})
