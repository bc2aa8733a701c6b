import { ScrollRegion } from "../../parts/scroll-region.js";
import { memberChanges } from "./member-changes.js";

interface SideBySideProps {
  readonly caption: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** A value before and after a change. Differences are marked, not by colour alone. */
export function SideBySide({ caption, before, after }: SideBySideProps) {
  const members = memberChanges(before, after);
  return (
    <ScrollRegion label={caption}>
      <table class="side-by-side">
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Member</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {members.map(({ member, before: from, after: to, isChanged }) => (
            <tr key={member} class={isChanged ? "marked" : undefined}>
              <th scope="row">{member === "" ? "value" : member}</th>
              <td>{from === undefined ? <span class="quiet">none</span> : isChanged ? <del>{from}</del> : from}</td>
              <td>{to === undefined ? <span class="quiet">none</span> : isChanged ? <ins>{to}</ins> : to}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
