// A server with fixed responses for tests of commands, which records its requests.

import { Client } from '../../src/client/client.ts'

/** A server with these responses, by method and path without the query, and the requests that it received. */
export function served(answers: Readonly<Record<string, readonly [status: number, body: object]>>) {
  const requested: { readonly line: string; readonly body: unknown }[] = []
  const complaints: string[] = []
  const output: string[] = []
  const fetch = async (url: string, init?: RequestInit): Promise<Response> => {
    const { pathname, search } = new URL(url)
    const line = `${init?.method ?? 'GET'} ${pathname}`
    requested.push({
      line: line + search,
      body: typeof init?.body === 'string' ? JSON.parse(init.body) : null,
    })
    const [status, body] = answers[line + search] ?? [
      404,
      { code: 'not_found', status: 404, detail: 'None.' },
    ]
    const type = status < 400 ? 'application/json' : 'application/problem+json'
    return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': type } })
  }
  const wait = async (): Promise<void> => {}
  const url = 'http://satchel.test'
  const ports = {
    client: new Client({ url, key: 'k', fetch, wait }),
    url,
    say: (line: string) => void output.push(line),
    complain: (text: string) => void complaints.push(text),
    ask: null,
  }
  return { requested, complaints, output, ports }
}
