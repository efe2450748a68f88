// search_thread: searches the part of the conversation that is no longer in the model's window.

import * as z from 'zod'
import { SEARCH_THREAD_QUERY_MAX_CHARS } from './limits.ts'
import { builtin } from '../record/builtin.ts'

export const SEARCH_THREAD = builtin({
  name: 'search_thread',
  group: 'thread',
  label: {
    icon: 'search',
    now: 'Searching the conversation for',
    past: 'Searched the conversation for',
    failed: 'Could not search the conversation for',
    many: 'searches',
  },
  always: true,
  description:
    'Searches the earlier part of this conversation that is no longer in your context: what the user and you wrote, your calls and their results. It answers with excerpts and their IDs. Pass one of these IDs as the query to read that message or result whole. Everything of this conversation is in your context until a message says that it continues in a new window.',
  input: z.strictObject({
    query: z
      .string()
      .min(1)
      .max(SEARCH_THREAD_QUERY_MAX_CHARS)
      .describe('A few words that occur in it, or the ID of a message or call.'),
  }),
  effect: 'read',
  limitsResults: false,
  run: async ({ searchThread }, { query }) => {
    const { content, isError, untrusted } = searchThread(query)
    return { content, isError, untrusted }
  },
})
