// Exports the libraries that process a page's tree. The build bundles this file separately and adds step counters to it
// (scripts/assets/html.ts), so it must contain no other code.

export { Readability } from '@mozilla/readability'
export { parseHTML } from 'linkedom'
export { default as Turndown } from 'turndown'
