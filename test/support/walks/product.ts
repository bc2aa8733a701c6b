import { afterEach, describe, expect, test } from "vitest";
import { type AnyProduct, ingredientsOf, requiredIngredientsOf } from "../../../src/contract/product.js";
import type { ProductCase } from "../../../src/contract/testing/service-cases.js";
import { damageBody } from "../damaged-body.js";
import { type Stack, startStack } from "../stack.js";

/** Tests that a product reports what it was built from, and that its state follows the states of its ingredients. */
export function walkProduct(product: AnyProduct, beside: readonly string[], { shownBy }: ProductCase): void {
  const { name } = product;
  const ingredients = ingredientsOf(product).map((ingredient) => ingredient.name);
  const required = requiredIngredientsOf(product).map((ingredient) => ingredient.name);
  describe(name, () => {
    let stack: Stack;
    const start = async (isBuilt: boolean): Promise<void> => {
      stack = await startStack({ datasets: [...beside, name], ...(isBuilt && { filled: [name] }) });
    };
    afterEach(() => stack.close());

    const generationOf = (dataset: string) => stack.service.registry.generation(stack.dataset(dataset));
    const stateOf = () => stack.service.registry.get(stack.dataset(name)).state;
    const body = async () => String((await stack.get(shownBy)).body);

    test("names the generations of its ingredients as its provenance", async () => {
      await start(true);
      expect(generationOf(name)?.ingredients).toEqual(
        ingredients.map((dataset) => ({
          dataset,
          generation: 1,
          contentHash: generationOf(dataset)?.contentHash,
        })),
      );
    });

    test("makes no new generation while its ingredients and the time are unchanged", async () => {
      await start(true);
      expect(await stack.runAlone(name)).toMatchObject({ outcome: "unchanged", generation: { generation: 1 } });
    });

    test("fails while its ingredients are absent, with a sentence that names them", async () => {
      await start(false);
      const { outcome, status } = await stack.runAlone(name);
      expect(outcome).toBe("failed");
      for (const ingredient of required) expect(status.error).toContain(`its ingredient ${ingredient} is absent`);
      expect(stateOf()).toBe("absent");
    });

    test.each(required)(
      "is stale but keeps its content, generation and time while %s is unreadable",
      async (ingredient) => {
        await start(true);
        const [before, shown] = [generationOf(name), await body()];
        await damageBody(stack, generationOf(ingredient)?.contentHash ?? "");
        await stack.restart();
        expect(await stack.runAlone(name)).toMatchObject({ outcome: "failed", generation: before });
        expect(stateOf()).toBe("stale");
        expect(await body()).toBe(shown);
      },
    );

    test("is stale as soon as its own content or a required ingredient is too old", async () => {
      await start(true);
      expect(stateOf()).toBe("ok");
      stack.clock.advance(
        Math.min(...[product, ...requiredIngredientsOf(product)].map((dataset) => dataset.staleAfterMs)),
      );
      expect(stateOf()).toBe("stale");
    });
  });
}
