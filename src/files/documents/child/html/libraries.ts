// The libraries that process a page's tree. The build bundles this file alone and adds step counters
// (scripts/assets/html.ts), so it must contain no code of ours.

export { Readability } from '@mozilla/readability'
export { parseHTML } from 'linkedom'
export { default as Turndown } from 'turndown'
