import type { SimulatedRoute, SimulatedUpstream } from "./upstream.js";

export interface MatchedRoute {
  readonly upstream: SimulatedUpstream;
  readonly route: SimulatedRoute;
}

export interface RouteTable {
  /** Returns the route with the exact path of this address, else the route of the nearest folder above that path. */
  find(url: URL): MatchedRoute | undefined;
}

/** Creates a lookup over all routes. Throws if two upstreams share a name, or two routes share a host and path. */
export function routeTable(upstreams: readonly SimulatedUpstream[]): RouteTable {
  const routes = new Map<string, MatchedRoute>();
  const names = new Set<string>();
  for (const upstream of upstreams) {
    if (names.has(upstream.name)) throw new Error(`two simulated upstreams are called "${upstream.name}"`);
    names.add(upstream.name);
    for (const route of upstream.routes) addRoute(routes, { upstream, route });
  }
  return { find: (url) => routes.get(url.host + url.pathname) ?? folderAbove(routes, url) };
}

function addRoute(routes: Map<string, MatchedRoute>, route: MatchedRoute): void {
  const address = route.route.host + route.route.path;
  const earlierRoute = routes.get(address);
  if (earlierRoute !== undefined) {
    throw new Error(`${address} is simulated twice, by "${earlierRoute.upstream.name}" and "${route.upstream.name}"`);
  }
  routes.set(address, route);
}

function folderAbove(routes: ReadonlyMap<string, MatchedRoute>, url: URL): MatchedRoute | undefined {
  for (let end = url.pathname.lastIndexOf("/"); end >= 0; end = url.pathname.lastIndexOf("/", end - 1)) {
    const route = routes.get(`${url.host}${url.pathname.slice(0, end)}/*`);
    if (route !== undefined || end === 0) return route;
  }
  return undefined;
}
