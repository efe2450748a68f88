// Formats the message that the user sees when the server is up: the link to its page, the command for the terminal, the model, and how to
// stop the server.

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

/** Describes the configured model, which is not contacted at the start. `model` is its name from the Worker; null if unknown. */
export function modelLine(variables: DevVariables, model: string | null): string {
  const { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: baseUrl } = variables
  if (key)
    return `${model ?? 'the default model'} at ${baseUrl ?? 'https://api.anthropic.com'}. It is not called before you send a message.`
  const ignoredNote = baseUrl
    ? ' ANTHROPIC_BASE_URL is ignored: it needs a key (any, for a local server).'
    : ''
  return `the demo model answers. For a real one, put ANTHROPIC_API_KEY in .dev.vars.${ignoredNote}`
}

export interface BannerOptions {
  readonly url: string
  readonly adminKey: string
  /** From `modelLine`. */
  readonly model: string
  /** Whether `npm run chat` finds the server without its address. */
  readonly isFound: boolean
  /** Whether to print a request for curl. */
  readonly showsCurl: boolean
}

/** The link to the page. It contains the key. */
export function pageLink(url: string, adminKey: string): string {
  return `${url}/#key=${adminKey}`
}

export function banner({ url, adminKey, model, isFound, showsCurl }: BannerOptions): string {
  return [
    '',
    `  ${paint('bold', 'Satchel is up.')} Open this link:`,
    `  ${paint('cyan', pageLink(url, adminKey))}`,
    '',
    `  Chat:   npm run chat${isFound ? '' : ` -- --url ${url}`}`,
    `  Model:  ${model}`,
    '  Stop:   Ctrl-C',
    ...(showsCurl ? ['', curlLine(url, adminKey)] : []),
    '',
  ].join('\n')
}
