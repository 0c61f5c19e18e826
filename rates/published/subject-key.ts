/** The key under which no two clients may have a subject: the issuer and the subject, each exactly as its tokens write it. */
export function subjectKey({ issuer, subject }: { issuer: string; subject: string }): string {
  return JSON.stringify([issuer, subject])
}
