// What the demo model sees in a Messages API request: the index, the question, what its tools answered. Pure.

import { asList, asObject, asText } from '../lib/json.ts'
import type { Json } from '../lib/json.ts'
import type { SkillCard } from './similarity.ts'

export interface ToolAnswer {
  readonly tool: string
  readonly input: Json
  readonly text: string
  readonly isError: boolean
}

/** A SKILL.md body as a tool or a slash command put it into the conversation. */
export interface DemoSkill {
  readonly name: string
  /** Its folder as the model sees it; empty when the wrapper does not say. */
  readonly root: string
  readonly text: string
  /** Paths of its resources, relative to its folder. */
  readonly files: readonly string[]
}

/** A file that the user attached. */
export interface AttachedFile {
  readonly path: string
  readonly type: string
}

/** The last user message, and everything after it. */
export interface DemoTurn {
  readonly question: string
  /** What came with the question. */
  readonly uploads: readonly AttachedFile[]
  /** Paths that write_file was asked for before this turn. */
  readonly written: readonly string[]
  readonly answers: readonly ToolAnswer[]
  /** Bodies that came with the question or since. */
  readonly loaded: readonly DemoSkill[]
  /** Bodies of the whole conversation. */
  readonly known: readonly DemoSkill[]
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
}

function unescape(text: string): string {
  return text.replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity] ?? entity)
}

function objects(list: unknown): readonly Json[] {
  return asList(list)
    .map(asObject)
    .filter((item) => item !== null)
}

function field(xml: string, name: string): string {
  return unescape(new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]?.trim() ?? '')
}

/** Text of a `system`, `content` or tool result field: a string, or the text blocks of a list. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return asList(value)
    .map((block) => asText(asObject(block)?.['text']))
    .filter((text) => text !== '')
    .join('\n')
}

/** The skills listed in the system prompt. */
export function readIndex(system: unknown): readonly SkillCard[] {
  return textOf(system)
    .split('<skill>')
    .slice(1)
    .map((part) => part.split('</skill>')[0] ?? '')
    .map((xml) => ({
      name: field(xml, 'name'),
      description: field(xml, 'description'),
      tags: field(xml, 'tags'),
      location: field(xml, 'location'),
    }))
    .filter((skill) => skill.name !== '')
}

function readLoaded(text: string): DemoSkill | null {
  const open = /^\s*<skill_content\b([^>]*)>/.exec(text)
  if (open === null) return null
  const attribute = (name: string): string =>
    unescape(new RegExp(`\\b${name}="([^"]*)"`).exec(open[1] ?? '')?.[1] ?? '')
  const rest = text.slice(open[0].length).replace(/<\/skill_content>\s*$/, '')
  const list = rest.lastIndexOf('<skill_resources>')
  const files = list < 0 ? [] : [...rest.slice(list).matchAll(/<file>([^<]*)<\/file>/g)]
  return {
    name: attribute('name'),
    root: attribute('root'),
    text: list < 0 ? rest : rest.slice(0, list),
    files: files.map((match) => unescape(match[1]?.trim() ?? '')),
  }
}

/**
 * The skills of the index as later notices in the conversation left them: a thread's system prompt is frozen,
 * and notices in its messages announce later changes.
 */
export function withNotices(index: readonly SkillCard[], list: unknown): readonly SkillCard[] {
  const cards = new Map(index.map((card) => [card.name, card]))
  const notices = objects(list)
    .flatMap(atomicBlocks)
    .map((block) => asText(block['text']))
    .filter((text) => text.startsWith('<skills_notice>'))
  for (const line of notices.join('\n').split('\n')) {
    const [, name = '', description = ''] =
      /^(?:Now available|Changed[^:]*): ([^:\s]+): (.*)$/.exec(line) ?? []
    if (name !== '')
      cards.set(name, {
        location: '',
        tags: '',
        ...cards.get(name),
        name,
        description: unescape(description),
      })
    cards.delete(/^No longer available[^:]*: (\S+)$/.exec(line)?.[1] ?? '')
  }
  return [...cards.values()]
}

// What the thread adds to a message (notices, context, bodies) is in tags; what the user typed does not.
const TAGGED = /^\s*<[a-z][\w-]*[\s>]/

function atomicBlocks(message: Json | undefined): readonly Json[] {
  const content = message?.['content']
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return objects(content)
}

function typed(message: Json): string {
  if (message['role'] !== 'user') return ''
  return atomicBlocks(message)
    .filter((block) => block['type'] === 'text')
    .map((block) => asText(block['text']))
    .filter((text) => text.trim() !== '' && !TAGGED.test(text))
    .join('\n')
}

function readUploads(message: Json): readonly AttachedFile[] {
  const texts = atomicBlocks(message).map((block) => asText(block['text']))
  const announced = texts.filter((text) => text.startsWith('<uploaded_files>')).join('\n')
  return [...announced.matchAll(/^<file path="([^"]*)" bytes="\d+" type="([^"]*)"\/>$/gm)].map(
    ([, path = '', type = '']) => ({ path: unescape(path), type: unescape(type) }),
  )
}

const NOTHING = { question: '', uploads: [] }

/** Reads the messages of a request; unknown blocks are passed over. */
export function readTurn(list: unknown): DemoTurn {
  const messages = objects(list)
  const start = Math.max(
    0,
    messages.findLastIndex((message) => typed(message) !== ''),
  )
  const calls = new Map<string, { tool: string; input: Json }>()
  const answers: ToolAnswer[] = []
  const loaded: DemoSkill[] = []
  const known: DemoSkill[] = []
  const written: string[] = []
  for (const [at, message] of messages.entries()) {
    for (const block of atomicBlocks(message)) {
      if (block['type'] === 'tool_use') {
        const call = { tool: asText(block['name']), input: asObject(block['input']) ?? {} }
        calls.set(asText(block['id']), call)
        if (call.tool === 'write_file' && at < start) written.push(asText(call.input['path']))
      }
      const result = block['type'] === 'tool_result'
      if (!result && (block['type'] !== 'text' || message['role'] !== 'user')) continue
      const text = result ? textOf(block['content']) : asText(block['text'])
      const isError = block['is_error'] === true
      const skill = isError ? null : readLoaded(text)
      if (skill !== null) known.push(skill)
      if (at < start) continue
      if (skill !== null) loaded.push(skill)
      // The results in the message that starts a turn belong to the turn before (a message that joined a run).
      const call = result && at > start ? calls.get(asText(block['tool_use_id'])) : undefined
      if (call !== undefined) answers.push({ ...call, text, isError })
    }
  }
  const opening = messages[start]
  const request =
    opening === undefined ? NOTHING : { question: typed(opening), uploads: readUploads(opening) }
  return { ...request, answers, loaded, known, written }
}
