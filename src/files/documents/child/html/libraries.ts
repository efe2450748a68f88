// The libraries that work on a page's tree. The build bundles this file by itself and counts its steps
// (scripts/assets/html.ts), so nothing of ours stands in it.

export { Readability } from '@mozilla/readability'
export { parseHTML } from 'linkedom'
export { default as Turndown } from 'turndown'
