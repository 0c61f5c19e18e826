import type { FollowedReleases, FollowOptions } from './follower.ts'
import { openBundle } from './open-bundle.ts'

/**
 * Follows `url`, the address of the current bundle: asks with If-None-Match, opens what is
 * new and swaps it in. Whatever fails leaves the last good release, and the next look tries again.
 *
 * ```js
 * const followed = await followReleases('https://rates.example/current.bundle', {
 *   keys,
 *   headers: () => ({ Authorization: `Bearer ${token}` }),
 * })
 * followed.current?.quote(request)
 * ```
 *
 * Resolves after the first look, whether or not that look found a release; rejects only where the code that follows cannot be loaded.
 */
export async function followReleases(url: string, options: FollowOptions): Promise<FollowedReleases> {
  // A page that quotes from one bundle does not load this.
  const { startFollower } = await import('./follower.ts')
  return startFollower(url, options, openBundle)
}
