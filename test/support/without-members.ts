/** Returns a copy of a body without the members at these paths, such as `watch.feedPath`. */
export function withoutMembers(body: unknown, paths: readonly string[] = []): unknown {
  const copy: unknown = structuredClone(body);
  for (const path of paths) {
    const names = path.split(".");
    const last = names.pop() ?? "";
    const holder = names.reduce((value: object, name) => Reflect.get(value, name), copy as object);
    Reflect.deleteProperty(holder, last);
  }
  return copy;
}
