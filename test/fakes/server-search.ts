// The blocks of a web search that the Messages API runs itself, typed as in the SDK.

import type { WebSearchResultBlock } from '@anthropic-ai/sdk/resources/messages'
import type { WireBlock } from './messages-wire.ts'

const caller = { type: 'direct' }

export function searching(id: string, query: string): WireBlock {
  return { type: 'server_tool_use', id, name: 'web_search', input: { query }, caller }
}

export function found(id: string, ...urls: readonly string[]): WireBlock {
  const content = urls.map((url): WebSearchResultBlock => ({
    type: 'web_search_result',
    url,
    title: 'A page',
    encrypted_content: 'RW5jcnlwdGVk',
    page_age: null,
  }))
  return { type: 'web_search_tool_result', tool_use_id: id, content, caller }
}

export function failedSearch(id: string): WireBlock {
  const content = { type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' }
  return { type: 'web_search_tool_result', tool_use_id: id, content, caller }
}

export function cited(text: string, url: string): WireBlock {
  const type = 'web_search_result_location'
  return {
    type: 'text',
    text,
    citations: [{ type, url, title: 'A page', encrypted_index: 'RW4=', cited_text: text }],
  }
}
