// A schedule's message, with placeholders for its planned time. An admin writes it, and the values are dates, so nothing
// in it is untrusted. Pure.

import { rfc3339 } from '../lib/clock.ts'
import { codePoints } from '../lib/text.ts'
import { CALLED_SKILLS_MAX } from '../limits/skills.ts'
import { slashCommands, type SkillCall } from '../skills/view/slash.ts'
import type { ScheduleFields } from './api.ts'
import { SCHEDULE_MESSAGE_MAX_CHARS } from './limits.ts'

const PLACEHOLDER = /\{\{\s*([a-z_]+)\s*\}\}/g

type Values = Readonly<Record<'date' | 'time' | 'weekday' | 'planned_at', string>>
const NAMES = ['date', 'time', 'weekday', 'planned_at'] as const satisfies readonly (keyof Values)[]

/** Why a message cannot be used; null if it can. */
export function checkMessage(message: string): string | null {
  if (message.trim() === '') return 'is empty: write what the agent should do'
  if (!message.isWellFormed()) return 'is not well-formed Unicode: it contains half of a surrogate pair'
  if (codePoints(message) > SCHEDULE_MESSAGE_MAX_CHARS)
    return `is longer than ${SCHEDULE_MESSAGE_MAX_CHARS} characters: put the procedure into a skill`
  const rest = message.replaceAll(PLACEHOLDER, (whole, name: string) => (isName(name) ? '' : whole))
  if (/\{\{|\}\}/.test(rest))
    return `has "{{" or "}}" that belongs to no placeholder: there are ${NAMES.map((name) => `{{${name}}}`).join(', ')}`
  if (slashCommands(message).names.length > CALLED_SKILLS_MAX)
    return `calls more than ${CALLED_SKILLS_MAX} skills`
  return null
}

/** The message for a planned time (epoch milliseconds), as the clock in the schedule's time zone shows it. */
export function messageAt(message: string, planned: number, timeZone: string): string {
  const values = valuesAt(planned, timeZone)
  return message.replaceAll(PLACEHOLDER, (whole, name: string) => (isName(name) ? values[name] : whole))
}

/** The skills that a run calls: those of the fields, and those at the start of the message (`/name`). */
export function callsOf({
  message,
  skills,
}: Pick<ScheduleFields, 'message' | 'skills'>): readonly SkillCall[] {
  const named = slashCommands(message).names.map((name) => ({ name, via: 'slash', path: 'message' }) as const)
  const loaded = skills.load
    .filter((name) => !named.some((call) => call.name === name))
    .map((name, index) => ({ name, via: 'request', path: `skills.load[${index}]` }) as const)
  return [...named, ...loaded]
}

function isName(name: string): name is keyof Values {
  return (NAMES as readonly string[]).includes(name)
}

function valuesAt(planned: number, timeZone: string): Values {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    weekday: 'long',
  })
  const parts = new Map(format.formatToParts(planned).map(({ type, value }) => [type, value]))
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? ''
  return {
    date: `${part('year')}-${part('month')}-${part('day')}`,
    time: `${part('hour')}:${part('minute')}`,
    weekday: part('weekday'),
    planned_at: rfc3339(planned),
  }
}
