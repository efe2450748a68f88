// Formats the message that the user sees when the server is up: its address, example commands, the model, and how to
// stop the server.

import { DEFAULT_PORT } from '../lib/limits.ts'
import { paint, shellQuote } from '../lib/terminal.ts'

import type { DevVariables } from '../lib/dev-vars.ts'

const QUESTION =
  'Write an incident report: checkout was down for 12 minutes this morning after a config change.'

/** A chat request that can be pasted into bash. */
export function curlLine(url: string, adminKey: string): string {
  const body = JSON.stringify({ message: QUESTION, stream: true })
  return [
    'curl -N',
    `${url}/v1/chat`,
    '-H',
    shellQuote(`Authorization: Bearer ${adminKey}`),
    "-H 'Content-Type: application/json'",
    '-d',
    shellQuote(body),
  ].join(' ')
}

/** Describes the configured model before it is contacted. `model` is its name from the Worker; null if unknown. */
export function modelLine(variables: DevVariables, model: string | null): string {
  const { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: baseUrl } = variables
  if (key)
    return `${model ?? 'The default model'} at ${baseUrl ?? 'https://api.anthropic.com'}, first contacted when you send a message.`
  const ignoredNote = baseUrl
    ? ' ANTHROPIC_BASE_URL is ignored: it needs a key (any, for a local server).'
    : ''
  return `The demo model answers: there is no ANTHROPIC_API_KEY in the environment or in .dev.vars.${ignoredNote}`
}

export function banner(url: string, adminKey: string, model: string): string {
  // `npm run chat` in another terminal uses the default port unless it has --url.
  const urlFlag = url === `http://127.0.0.1:${DEFAULT_PORT}` ? '' : ` --url ${url}`
  return [
    '',
    `  ${paint('bold', 'Satchel is up:')} ${paint('cyan', `${url}/`)}`,
    `  Chat:   ${url}/#key=${adminKey}`,
    '',
    '  Ask it:',
    curlLine(url, adminKey),
    '',
    `  or:     npm run chat -- "Review this function: …"${urlFlag}`,
    `  Model:  ${model}`,
    '  Stop:   Ctrl-C',
    '',
  ].join('\n')
}
