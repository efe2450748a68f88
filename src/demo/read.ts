// Reads a Messages API request for the demo model: the skill index, the question and the results of tools. Pure.

import { asList, asObject, asText } from '../lib/json.ts'
import type { Json } from '../lib/json.ts'
import type { SkillCard } from './similarity.ts'

export interface ToolResult {
  readonly tool: string
  readonly input: Json
  readonly text: string
  readonly isError: boolean
}

/** A SKILL.md body that a tool or a slash command added to the conversation. */
export interface DemoSkill {
  readonly name: string
  /** The skill's folder as the model sees it, or '' if unknown. */
  readonly root: string
  readonly text: string
  /** Paths of the skill's resources, relative to `root`. */
  readonly files: readonly string[]
}

/** A file that the user attached. */
export interface AttachedFile {
  readonly path: string
  readonly mediaType: string
}

/** The last user message, and everything after it. */
export interface DemoTurn {
  readonly question: string
  /** The files attached to the question. */
  readonly uploads: readonly AttachedFile[]
  /** Paths that write_file was called with before this turn. */
  readonly writtenPaths: readonly string[]
  readonly toolResults: readonly ToolResult[]
  /** Skills loaded with the question or after it. */
  readonly loadedSkills: readonly DemoSkill[]
  /** Skills loaded anywhere in the conversation. */
  readonly allSkills: readonly DemoSkill[]
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

function objectsIn(list: unknown): readonly Json[] {
  return asList(list)
    .map(asObject)
    .filter((item) => item !== null)
}

function elementText(xml: string, name: string): string {
  return unescape(new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]?.trim() ?? '')
}

/** The text of a `system`, `content` or tool result field, which is a string or a list of blocks. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return asList(value)
    .map((block) => asText(asObject(block)?.['text']))
    .filter((text) => text !== '')
    .join('\n')
}

/** Reads the skills listed in the system prompt. */
export function readSkillIndex(system: unknown): readonly SkillCard[] {
  return textOf(system)
    .split('<skill>')
    .slice(1)
    .map((part) => part.split('</skill>')[0] ?? '')
    .map((xml) => ({
      name: elementText(xml, 'name'),
      description: elementText(xml, 'description'),
      tags: elementText(xml, 'tags'),
      location: elementText(xml, 'location'),
    }))
    .filter((skill) => skill.name !== '')
}

function parseSkillContent(text: string): DemoSkill | null {
  const openTag = /^\s*<skill_content\b([^>]*)>/.exec(text)
  if (openTag === null) return null
  const attribute = (name: string): string =>
    unescape(new RegExp(`\\b${name}="([^"]*)"`).exec(openTag[1] ?? '')?.[1] ?? '')
  const content = text.slice(openTag[0].length).replace(/<\/skill_content>\s*$/, '')
  const resourcesStart = content.lastIndexOf('<skill_resources>')
  const files =
    resourcesStart < 0 ? [] : [...content.slice(resourcesStart).matchAll(/<file>([^<]*)<\/file>/g)]
  return {
    name: attribute('name'),
    root: attribute('root'),
    text: resourcesStart < 0 ? content : content.slice(0, resourcesStart),
    files: files.map((match) => unescape(match[1]?.trim() ?? '')),
  }
}

/**
 * Applies later notices in the conversation to the index. A thread's system prompt never changes, so notices in its messages
 * announce changes of the skills.
 */
export function applySkillNotices(index: readonly SkillCard[], messages: unknown): readonly SkillCard[] {
  const cards = new Map(index.map((card) => [card.name, card]))
  const notices = objectsIn(messages)
    .flatMap(blocksOf)
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

// Text that Satchel adds to a message (notices, context, skill bodies) starts with a tag; text from the user does not.
const ADDED_TEXT = /^\s*<[a-z][\w-]*[\s>]/

function blocksOf(message: Json | undefined): readonly Json[] {
  const content = message?.['content']
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return objectsIn(content)
}

function userText(message: Json): string {
  if (message['role'] !== 'user') return ''
  return blocksOf(message)
    .filter((block) => block['type'] === 'text')
    .map((block) => asText(block['text']))
    .filter((text) => text.trim() !== '' && !ADDED_TEXT.test(text))
    .join('\n')
}

function readUploads(message: Json): readonly AttachedFile[] {
  const texts = blocksOf(message).map((block) => asText(block['text']))
  const uploadNotices = texts.filter((text) => text.startsWith('<uploaded_files>')).join('\n')
  return [...uploadNotices.matchAll(/^<file path="([^"]*)" bytes="\d+" type="([^"]*)"\/>$/gm)].map(
    ([, path = '', mediaType = '']) => ({ path: unescape(path), mediaType: unescape(mediaType) }),
  )
}

const EMPTY_QUESTION = { question: '', uploads: [] }

/** Reads the messages of a request. Ignores unknown blocks. */
export function readTurn(messageList: unknown): DemoTurn {
  const messages = objectsIn(messageList)
  const turnStart = Math.max(
    0,
    messages.findLastIndex((message) => userText(message) !== ''),
  )
  const calls = new Map<string, { tool: string; input: Json }>()
  const toolResults: ToolResult[] = []
  const loadedSkills: DemoSkill[] = []
  const allSkills: DemoSkill[] = []
  const writtenPaths: string[] = []
  for (const [index, message] of messages.entries()) {
    for (const block of blocksOf(message)) {
      if (block['type'] === 'tool_use') {
        const call = { tool: asText(block['name']), input: asObject(block['input']) ?? {} }
        calls.set(asText(block['id']), call)
        if (call.tool === 'write_file' && index < turnStart) writtenPaths.push(asText(call.input['path']))
      }
      const result = block['type'] === 'tool_result'
      if (!result && (block['type'] !== 'text' || message['role'] !== 'user')) continue
      const text = result ? textOf(block['content']) : asText(block['text'])
      const isError = block['is_error'] === true
      const skill = isError ? null : parseSkillContent(text)
      if (skill !== null) allSkills.push(skill)
      if (index < turnStart) continue
      if (skill !== null) loadedSkills.push(skill)
      // If the message that starts the turn was added to a run, its tool results belong to the turn before.
      const call = result && index > turnStart ? calls.get(asText(block['tool_use_id'])) : undefined
      if (call !== undefined) toolResults.push({ ...call, text, isError })
    }
  }
  const turnMessage = messages[turnStart]
  const request =
    turnMessage === undefined
      ? EMPTY_QUESTION
      : { question: userText(turnMessage), uploads: readUploads(turnMessage) }
  return { ...request, toolResults, loadedSkills, allSkills, writtenPaths }
}
