/** A key that is unique among clients: issuer and subject, each exactly as its tokens write it. */
export function subjectKey({ issuer, subject }: { issuer: string; subject: string }): string {
  return JSON.stringify([issuer, subject])
}
