declare global {
  // ECMA-262, "JSON.parse source text access": in Node 24, and not yet in TypeScript's library.
  interface JSON {
    parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown
    rawJSON(source: string): object
    isRawJSON(value: unknown): boolean
  }
}

/**
 * Numbers that JSON.stringify may write differently: 12345678901234567890, 1.50, -0, 1e5, 0.0000001. Text that looks
 * like such a number matches too, which only costs time.
 */
const INEXACT = /[:,[\s]-?(?:0(?!\d)(?<=-0)|\d+(?:\.\d*)?[eE]|\d{16}|\d[\d.]{16}|\d+\.\d*0(?!\d)|0\.0{6})/

/**
 * Parses JSON such that JSON.stringify writes every number as it was read: a number that it would change becomes raw
 * JSON.
 */
export function parseExactly<T>(text: string): T {
  // With a reviver, parsing takes seven times as long.
  return (INEXACT.test(text) ? JSON.parse(text, keepSource) : JSON.parse(text)) as T
}

function keepSource(_key: string, value: unknown, { source }: { source?: string }): unknown {
  return typeof value === 'number' && source !== undefined && String(value) !== source ? JSON.rawJSON(source) : value
}

/** Bytes of a value as JSON, in which one byte of a text can become six. */
export const bytesAsJson = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

const STRING_OR_SPACE = /("[^"\\]*(?:\\.[^"\\]*)*")|[ \n\r\t]+/g

/** A JSON text without whitespace between tokens: texts that differ in nothing else are the same. */
export const withoutSpace = (text: string): string => text.replace(STRING_OR_SPACE, '$1')
