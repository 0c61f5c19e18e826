import { Resolver } from 'node:dns/promises'
import dns2 from 'dns2'

export interface NameServer {
  /** A resolver that asks this server and no other. */
  resolver: Resolver
  /** Names that were asked for, with the type. */
  asked: string[]
  close(): Promise<void>
}

const { Packet } = dns2

/** A real name server; `answer` gives the addresses for a name and a family each time that it is asked. */
export async function startNameServer(answer: (name: string, family: 4 | 6) => readonly string[]): Promise<NameServer> {
  const asked: string[] = []
  const server = dns2.createServer({
    udp: true,
    handle: (request, send) => {
      const response = Packet.createResponseFromRequest(request)
      const [question] = request.questions
      if (!question) return send(response)
      const family = question.type === Packet.TYPE.AAAA ? 6 : 4
      asked.push(`${question.name} ${family}`)
      for (const address of answer(question.name, family)) {
        response.answers.push({
          ...{ name: question.name, type: question.type, class: Packet.CLASS.IN },
          ...{ ttl: 0, address },
        } as never)
      }
      return send(response)
    },
  })
  const { udp } = await server.listen({ udp: { port: 0, address: '127.0.0.1' } })
  const resolver = new Resolver({ timeout: 500, tries: 1 })
  resolver.setServers([`127.0.0.1:${udp!.port}`])
  return { resolver, asked, close: () => server.close() }
}
